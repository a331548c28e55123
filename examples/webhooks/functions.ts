/**
 * A function for each producer: it verifies, then it acts. It verifies in a step, so that it does so once, at the
 * beginning, and not again after a sleep of a week. It acts on `raw` alone: that is what was signed. The other
 * fields of the data, and the name of the event, are the word of whoever sent the event.
 */
import { client } from "./client.ts";
import { payloadOf, requireValid, secretFrom, signedRequest, withinADay } from "./signed-request.ts";
import { verifyGithub } from "./verify-github.ts";
import { verifyIntercom } from "./verify-intercom.ts";
import { verifyLinear } from "./verify-linear.ts";
import { verifyShopify } from "./verify-shopify.ts";
import { verifySlack } from "./verify-slack.ts";
import { verifyStandardWebhook } from "./verify-standard-webhooks.ts";
import { verifyStripe } from "./verify-stripe.ts";

export const stripe = client.createFunction({ id: "stripe" }, "stripe/*", async ({ event, step, logger }) => {
  await step.run("verify", () => {
    const { body, signature } = signedRequest(event.data);
    const secret = secretFrom("STRIPE_WEBHOOK_SECRET");
    requireValid("Stripe", verifyStripe(body, signature, secret, withinADay()));
  });
  const { id, type, data } = JSON.parse(event.data.raw);
  logger.info(`Stripe: ${type} of ${data.object.id}`);
  return { id, type };
});

export const github = client.createFunction({ id: "github" }, "github/*", async ({ event, step, logger }) => {
  await step.run("verify", () => {
    const { body, signature } = signedRequest(event.data);
    requireValid("GitHub", verifyGithub(body, signature, secretFrom("GITHUB_WEBHOOK_SECRET")));
  });
  const { repository, sender } = payloadOf(event.data.raw);
  logger.info(`GitHub: ${sender.login} in ${repository.full_name}`);
  return { repository: repository.full_name };
});

export const clerk = client.createFunction({ id: "clerk" }, "clerk/*", async ({ event, step, logger }) => {
  await step.run("verify", () => {
    const { body, ...signed } = signedRequest(event.data);
    const secret = secretFrom("CLERK_WEBHOOK_SIGNING_SECRET");
    requireValid("Clerk", verifyStandardWebhook(body, signed, secret, withinADay()));
  });
  const { type, data } = JSON.parse(event.data.raw);
  logger.info(`Clerk: ${type} of ${data.id}`);
  return { type, id: data.id };
});

export const resend = client.createFunction({ id: "resend" }, "resend/*", async ({ event, step, logger }) => {
  await step.run("verify", () => {
    const { body, ...signed } = signedRequest(event.data);
    const secret = secretFrom("RESEND_WEBHOOK_SECRET");
    requireValid("Resend", verifyStandardWebhook(body, signed, secret, withinADay()));
  });
  const { type, data } = JSON.parse(event.data.raw);
  logger.info(`Resend: ${type} of ${data.email_id}`);
  return { type, id: data.email_id };
});

export const shopify = client.createFunction(
  { id: "shopify" },
  "shopify/*",
  async ({ event, step, logger }) => {
    await step.run("verify", () => {
      const { body, signature } = signedRequest(event.data);
      requireValid("Shopify", verifyShopify(body, signature, secretFrom("SHOPIFY_API_SECRET")));
    });
    const { admin_graphql_api_id: id } = JSON.parse(event.data.raw);
    logger.info(`Shopify: ${id}`);
    return { id };
  },
);

export const slack = client.createFunction({ id: "slack" }, "slack/*", async ({ event, step, logger }) => {
  await step.run("verify", () => {
    const { body, ...signed } = signedRequest(event.data);
    requireValid("Slack", verifySlack(body, signed, secretFrom("SLACK_SIGNING_SECRET"), withinADay()));
  });
  const { type, event: inner, command } = payloadOf(event.data.raw);
  logger.info(`Slack: ${command ?? inner?.type ?? type}`);
  return { type: command ?? inner?.type ?? type };
});

export const linear = client.createFunction({ id: "linear" }, "linear/*", async ({ event, step, logger }) => {
  await step.run("verify", () => {
    const { body, signature } = signedRequest(event.data);
    requireValid("Linear", verifyLinear(body, signature, secretFrom("LINEAR_WEBHOOK_SECRET"), withinADay()));
  });
  const { action, type, data } = JSON.parse(event.data.raw);
  logger.info(`Linear: ${action} of ${type} ${data.id}`);
  return { action, type, id: data.id };
});

export const intercom = client.createFunction(
  { id: "intercom" },
  "intercom/*",
  async ({ event, step, logger }) => {
    await step.run("verify", () => {
      const { body, signature } = signedRequest(event.data);
      requireValid("Intercom", verifyIntercom(body, signature, secretFrom("INTERCOM_CLIENT_SECRET")));
    });
    const { topic, data } = JSON.parse(event.data.raw);
    logger.info(`Intercom: ${topic} of ${data.item.id}`);
    return { topic };
  },
);
