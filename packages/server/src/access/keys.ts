/**
 * The keys in memory, by their SHA-256: finding one by its hash tells by its duration nothing about
 * the keys there are.
 */
import { hash } from "node:crypto";
import { hashSigningKey, splitSigningKey } from "@svc/protocol";
import type { Config } from "../config.ts";

/** Longest key or token that is looked up at all. */
const MAX_KEY_LENGTH = 512;

/** What a key stands for. */
export interface Key {
  env: string;
  /** What people call it; the source of the events sent with it. */
  name: string;
}

/** From the text of a key to what it stands for; undefined when it is unknown. */
export interface KeyRing {
  eventKey(key: string): Key | undefined;
  apiToken(token: string): Key | undefined;
  /** The hash an app shows of its signing key, with or without the key's `signkey-…-` prefix. */
  signingKeyHash(hashed: string): Key | undefined;
}

/** The keys given by flags and environment variables, all of one environment. */
export async function createKeyRing(
  config: Pick<Config, "eventKeys" | "signingKeys" | "apiTokens">,
  env: string,
): Promise<KeyRing> {
  const entries = (keys: readonly string[]) =>
    new Map(keys.map((key, i) => [digest(key), { env, name: i === 0 ? "default" : `default-${i + 1}` }]));
  const eventKeys = entries(config.eventKeys);
  const apiTokens = entries(config.apiTokens);
  const hashes = await Promise.all(config.signingKeys.map(hashSigningKey));
  const signingKeys = entries(hashes.map(withoutPrefix));
  return {
    eventKey: (key) => lookUp(eventKeys, key),
    apiToken: (token) => lookUp(apiTokens, token),
    signingKeyHash: (hashed) =>
      hashed.length > MAX_KEY_LENGTH ? undefined : lookUp(signingKeys, withoutPrefix(hashed)),
  };
}

function lookUp(keys: Map<string, Key>, key: string): Key | undefined {
  return key.length > MAX_KEY_LENGTH ? undefined : keys.get(digest(key));
}

function digest(key: string): string {
  return hash("sha256", key, "base64");
}

/** The hex text of a hashed signing key; anything else as it is, for it will match nothing. */
function withoutPrefix(hashed: string): string {
  return splitSigningKey(hashed)?.secret.toLowerCase() ?? hashed;
}
