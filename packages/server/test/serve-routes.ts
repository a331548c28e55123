/** Serves routes on a free port without authentication: stands in for `http/` in tests of single parts. */
import { DEVELOPER } from "../src/access/actor.ts";
import type { Route, RouteAnswer } from "../src/http/route.ts";
import { type Listening, listen } from "./listen.ts";

export function serveRoutes(routes: Route[], env = "dev"): Promise<Listening> {
  return listen(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const url = new URL(request.url!, "http://service");
    const route = routes.find((one) => one.method === request.method && one.path === url.pathname);
    if (route === undefined) {
      response.writeHead(404).end();
      return;
    }
    const answer = (await route.handle({
      method: request.method!,
      path: url.pathname,
      params: {},
      query: Object.fromEntries(url.searchParams),
      body: text === "" ? undefined : JSON.parse(text),
      headers: request.headers,
      env,
      environment: {
        id: env,
        name: env,
        type: "development",
        created_at: 0,
        created_by: null,
        archived_at: null,
        last_active_at: null,
        auto_archive: 0,
        max_request_bytes: null,
      },
      actor: DEVELOPER,
      requestId: "test",
      remoteAddress: "127.0.0.1",
      response,
    })) as RouteAnswer;
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
    response.end(JSON.stringify(answer.body));
  });
}
