/** A browser as far as sessions go: keeps cookies, and says which site its requests come from. */

/** Parsed JSON of an answer, whatever its shape. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

export interface Browser {
  /** The cookies it has, by name. */
  cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** @example const ada = openBrowser(service.url); await ada.send("POST", "/v1/session", { email, password }) */
export function openBrowser(url: string, always: Record<string, string> = {}): Browser {
  const cookies = new Map<string, string>();
  const request = async (method: string, path: string, body: unknown, headers: Record<string, string>) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(cookie !== "" && { cookie }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(method !== "GET" && { origin: url }),
        ...always,
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const mark = pair.indexOf("=");
      if (/; Max-Age=0(;|$)/.test(line)) cookies.delete(pair.slice(0, mark));
      else cookies.set(pair.slice(0, mark), pair.slice(mark + 1));
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
  };
  return {
    cookies,
    get: (path, headers = {}) => request("GET", path, undefined, headers),
    send: (method, path, body, headers = {}) => request(method, path, body, headers),
  };
}
