/** What a starter is: everything somebody needs to receive a producer's webhooks. */

/** A request as the producer would send it. The ids are invented, the signatures are real. */
export interface StarterSample {
  name: string;
  /** Names spelled as the producer spells them; the service gives transforms canonical ones. */
  headers: Readonly<Record<string, string>>;
  /** Query string without the question mark. */
  query: string;
  /** The body's text, exactly as sent: signatures are made of it. */
  body: string;
}

/** A producer's transform, ready to use, and requests to try it on. */
export interface Starter {
  /** Lower-case; the producer's part of event names. */
  id: string;
  name: string;
  summary: string;
  /** The producer's public documentation of its webhooks. */
  documentationUrl: string;
  /** What to do at the producer, for a person. */
  setUp: string;
  /** JavaScript source of `transform(evt, headers, queryParams, raw)`. */
  transform: string;
  samples: readonly StarterSample[];
  /** What the producer calls the secret it signs with; absent when it depends on the sender. */
  secretName?: string;
  /** The secret the samples are signed with. Public: for trying out, never for production. */
  sampleSecret: string;
}
