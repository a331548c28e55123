import { hmac } from "./sign-sample.ts";
import type { Starter, StarterSample } from "./starter.ts";

const transform = `// Shopify webhooks: https://shopify.dev/docs/apps/build/webhooks
function transform(evt, headers, queryParams, raw) {
  // The header says what happened, "orders/create"; what comes without it is ignored.
  const topic = headers["X-Shopify-Topic"];
  if (!topic) return null;

  const webhookId = headers["X-Shopify-Webhook-Id"];
  return {
    // "orders/create" becomes "shopify/orders.create".
    name: "shopify/" + topic.replaceAll("/", "."),
    // Shopify tries again under the same id.
    id: webhookId ? "shopify-" + webhookId : undefined,
    // Shopify sends nanoseconds; three digits of them are enough.
    ts: Date.parse(headers["X-Shopify-Triggered-At"]?.replace(/(\\.\\d{3})\\d+/, "$1")),
    // With raw and signature a function can verify that Shopify sent this. The shop and the topic are not
    // part of what is signed.
    data: {
      ...evt,
      raw,
      signature: headers["X-Shopify-Hmac-Sha256"],
      topic,
      shop_domain: headers["X-Shopify-Shop-Domain"],
    },
  };
}
`;

const sampleSecret = "shpss_sample_of_the_shopify_starter";

function sample(topic: string, webhookId: string, payload: object): StarterSample {
  const body = JSON.stringify(payload);
  return {
    name: topic,
    headers: {
      Accept: "*/*",
      "Content-Type": "application/json",
      "User-Agent": "Shopify-Captain-Hook",
      "X-Shopify-API-Version": "2026-04",
      "X-Shopify-Event-Id": `e1${webhookId.slice(2)}`,
      "X-Shopify-Hmac-Sha256": hmac("sha256", sampleSecret, body, "base64"),
      "X-Shopify-Shop-Domain": "sample-shop.myshopify.com",
      "X-Shopify-Topic": topic,
      "X-Shopify-Triggered-At": "2026-05-01T12:00:00.417283915Z",
      "X-Shopify-Webhook-Id": webhookId,
    },
    query: "",
    body,
  };
}

const address = {
  first_name: "Ada",
  last_name: "Example",
  address1: "1 Sample Street",
  city: "Exampleton",
  zip: "12345",
  country: "Germany",
  country_code: "DE",
};

export const shopify: Starter = {
  id: "shopify",
  name: "Shopify",
  summary: "Orders, products, customers and other topics of a Shopify shop.",
  documentationUrl: "https://shopify.dev/docs/apps/build/webhooks",
  setUp:
    "In the Shopify admin, under Settings, Notifications, Webhooks, create one with this webhook's URL and format JSON; or name the URL in your app's configuration.",
  transform,
  secretName: "client secret of the app, or the key shown below the shop's webhooks",
  sampleSecret,
  samples: [
    sample("orders/create", "b0c1d2e3-4f50-4617-8293-a4b5c6d7e801", {
      id: 7000000001001,
      admin_graphql_api_id: "gid://shopify/Order/7000000001001",
      contact_email: "ada@example.com",
      created_at: "2026-05-01T08:00:00-04:00",
      currency: "EUR",
      current_total_price: "49.90",
      email: "ada@example.com",
      financial_status: "paid",
      fulfillment_status: null,
      name: "#1001",
      note: "Bitte klingeln – 2. Stock",
      number: 1,
      order_number: 1001,
      processed_at: "2026-05-01T07:59:58-04:00",
      subtotal_price: "45.00",
      tags: "",
      test: false,
      total_price: "49.90",
      total_tax: "7.97",
      updated_at: "2026-05-01T08:00:00-04:00",
      billing_address: address,
      customer: {
        id: 8000000002001,
        email: "ada@example.com",
        first_name: "Ada",
        last_name: "Example",
        state: "disabled",
        verified_email: true,
      },
      line_items: [
        {
          id: 9000000003001,
          product_id: 9000000004001,
          variant_id: 9000000005001,
          sku: "MUG-BLUE",
          title: "Blue mug",
          quantity: 2,
          price: "22.50",
          requires_shipping: true,
          taxable: true,
        },
      ],
      shipping_address: address,
      shipping_lines: [{ id: 9000000006001, title: "Standard", price: "4.90" }],
    }),
    sample("products/update", "b0c1d2e3-4f50-4617-8293-a4b5c6d7e802", {
      id: 9000000004001,
      admin_graphql_api_id: "gid://shopify/Product/9000000004001",
      title: "Blue mug",
      body_html: "<p>Holds <b>0.3 l</b>.</p>",
      handle: "blue-mug",
      product_type: "Kitchen",
      status: "active",
      tags: "blue, mug",
      vendor: "Sample Shop",
      created_at: "2025-11-03T04:12:55-05:00",
      updated_at: "2026-05-01T08:00:00-04:00",
      published_at: "2025-11-03T04:13:10-05:00",
      variants: [
        {
          id: 9000000005001,
          product_id: 9000000004001,
          sku: "MUG-BLUE",
          price: "22.50",
          inventory_quantity: 38,
        },
      ],
      images: [],
    }),
  ],
};
