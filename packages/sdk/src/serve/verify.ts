/** Whether a request comes from the service. */
import { canonicalJson, HEADER, readHeader, type SignatureVerdict, verifySignature } from "@svc/protocol";
import { SdkError } from "../errors.ts";
import { requireSigningKey, type Settings } from "../settings.ts";
import type { AppRequest } from "./handler.ts";

const REASONS: Record<Exclude<SignatureVerdict, "valid">, string> = {
  missing: "it has no signature (beside a local dev server, start the app with SVC_DEV=1)",
  malformed: "its signature is malformed",
  expired: "its signature is too old, or the clocks of service and app are more than 5 minutes apart",
  mismatch: "its signature does not fit: SVC_SIGNING_KEY is not the key of the calling service",
};

/** Throws unless the request is signed with the signing key or its fallback. Dev mode takes any request. */
export async function checkSignature(settings: Settings, request: AppRequest): Promise<void> {
  if (requireSigningKey(settings) === undefined) return;
  const verdict = await verdictOf(settings, request);
  if (verdict === "valid") return;
  throw new SdkError("signature_invalid", `The request was refused: ${REASONS[verdict]}.`);
}

/** Whether the request is provably from the service; in dev mode everything counts as such. */
export async function isSigned(settings: Settings, request: AppRequest): Promise<boolean> {
  if (settings.mode === "dev") return true;
  return settings.signingKey !== undefined && (await verdictOf(settings, request)) === "valid";
}

async function verdictOf(settings: Settings, request: AppRequest): Promise<SignatureVerdict> {
  const { body } = request;
  const keys = { key: settings.signingKey ?? "", fallback: settings.signingKeyFallback };
  const verify = (text: string): Promise<SignatureVerdict> =>
    verifySignature(text, readHeader(request.headers, HEADER.signature), keys, Date.now());
  if (typeof body === "string") return verify(body);
  // The framework has parsed the body away. What was sent is most likely what JSON.stringify makes of it,
  // or else the canonical form, which the SDK specification prescribes for this case.
  const verdict = await verify(JSON.stringify(body));
  return verdict === "mismatch" ? verify(canonicalJson(body)) : verdict;
}
