import { stripeSignature } from "./sign-sample.ts";
import type { Starter, StarterSample } from "./starter.ts";

const transform = `// Stripe events: https://docs.stripe.com/api/events/object
function transform(evt, headers, queryParams, raw) {
  // Every event of Stripe has a type. What has none is ignored.
  if (typeof evt?.type !== "string") return null;

  return {
    name: "stripe/" + evt.type,
    // Stripe may send an event more than once, always under the same id.
    id: evt.id ? "stripe-" + evt.id : undefined,
    // Stripe counts seconds, events count milliseconds.
    ts: evt.created * 1000,
    // With raw and signature a function can verify that Stripe sent this.
    data: { ...evt, raw, signature: headers["Stripe-Signature"] },
  };
}
`;

const sampleSecret = "whsec_sample_of_the_stripe_starter";
const CREATED = 1777636800;

/** Stripe sends its JSON indented by two spaces. */
function sample(type: string, suffix: string, object: object, previousAttributes?: object): StarterSample {
  const event = {
    id: `evt_1RSampleStarter${suffix}`,
    object: "event",
    api_version: "2025-09-30.clover",
    created: CREATED,
    data: { object, ...(previousAttributes && { previous_attributes: previousAttributes }) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: `req_Sample${suffix}`, idempotency_key: null },
    type,
  };
  const body = JSON.stringify(event, null, 2);
  return {
    name: type,
    headers: {
      Accept: "*/*; q=0.5, application/xml",
      "Content-Type": "application/json; charset=utf-8",
      "Stripe-Signature": stripeSignature(body, sampleSecret, CREATED + 2),
      "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
    },
    query: "",
    body,
  };
}

export const stripe: Starter = {
  id: "stripe",
  name: "Stripe",
  summary: "Payments, invoices, subscriptions and every other event of a Stripe account.",
  documentationUrl: "https://docs.stripe.com/webhooks",
  setUp:
    "In the Stripe Dashboard, under Developers, Webhooks, add an endpoint with this webhook's URL and choose its events.",
  transform,
  secretName: "signing secret of the endpoint",
  sampleSecret,
  samples: [
    sample("payment_intent.succeeded", "Payment01", {
      id: "pi_3RSamplePayment01",
      object: "payment_intent",
      amount: 4990,
      amount_capturable: 0,
      amount_received: 4990,
      capture_method: "automatic_async",
      created: CREATED - 4,
      currency: "eur",
      customer: "cus_SampleAda01",
      description: "Order 1001",
      latest_charge: "ch_3RSampleCharge01",
      livemode: false,
      metadata: { order_id: "1001" },
      payment_method: "pm_1RSampleCard01",
      payment_method_types: ["card"],
      receipt_email: "ada@example.com",
      status: "succeeded",
    }),
    sample(
      "customer.subscription.updated",
      "Subscription02",
      {
        id: "sub_1RSampleSubscription02",
        object: "subscription",
        cancel_at_period_end: true,
        canceled_at: CREATED,
        collection_method: "charge_automatically",
        created: CREATED - 2_592_000,
        currency: "eur",
        customer: "cus_SampleAda01",
        items: {
          object: "list",
          data: [
            {
              id: "si_SampleItem02",
              object: "subscription_item",
              current_period_end: CREATED + 86_400,
              current_period_start: CREATED - 2_505_600,
              price: {
                id: "price_1RSampleMonthly",
                object: "price",
                currency: "eur",
                product: "prod_SampleTeam",
                recurring: { interval: "month", interval_count: 1 },
                unit_amount: 1900,
              },
              quantity: 3,
            },
          ],
          has_more: false,
        },
        livemode: false,
        metadata: {},
        status: "active",
      },
      { cancel_at_period_end: false, canceled_at: null },
    ),
    sample("invoice.payment_failed", "Invoice03", {
      id: "in_1RSampleInvoice03",
      object: "invoice",
      amount_due: 5700,
      amount_paid: 0,
      amount_remaining: 5700,
      attempt_count: 1,
      attempted: true,
      billing_reason: "subscription_cycle",
      created: CREATED - 3600,
      currency: "eur",
      customer: "cus_SampleAda01",
      customer_email: "ada@example.com",
      hosted_invoice_url: "https://invoice.example.com/i/in_1RSampleInvoice03",
      next_payment_attempt: CREATED + 259_200,
      number: "SAMPLE-0003",
      status: "open",
      total: 5700,
    }),
  ],
};
