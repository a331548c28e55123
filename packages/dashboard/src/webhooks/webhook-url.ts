/**
 * An address without the middle of its key.
 * @example shortUrl("http://host/e/svc_whk_abcdefghijkl") // "host/e/svc_whk_…ijkl"
 */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/(\/e\/svc_whk_)[^/]{4,}(.{4})$/, "$1…$2");
}
