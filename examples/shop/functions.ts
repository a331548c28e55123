/** What happens when an order is created: three functions, each on its own. */
import { NonRetriableError } from "@svc/sdk";
import { client } from "./client.ts";

/** Several steps: each runs once, also when the process dies in between. */
export const ship = client.createFunction(
  { id: "ship", name: "Ship the order" },
  { event: "shop/order.created" },
  async ({ event, step, logger }) => {
    const { orderId } = event.data;
    const label = await step.run("print label", () => {
      logger.debug("printing on", { printer: "packing-2", copies: 1 });
      return `LABEL-${orderId}`;
    });
    logger.info(`label ${label} is printed, waiting for the pickup`);
    await step.sleep("wait for pickup", "2s");
    const { ids } = await step.sendEvent("tell", { name: "shop/order.shipped", data: { orderId, label } });
    logger.info(`shipped order ${orderId} as ${label}`);
    return { label, told: ids };
  },
);

/** A plain function on the same event: no steps, tried again as a whole. */
export const greet = client.createFunction({ id: "greet" }, "shop/order.created", ({ event, logger }) => {
  logger.info(`thank you, ${event.data.email}, for order ${event.data.orderId}`);
});

/** Fails for good when the order says so; `onFailure` then runs as a function of its own. */
export const charge = client.createFunction(
  {
    id: "charge",
    retries: 1,
    onFailure: async ({ error, originalEvent, step, logger }) => {
      await step.run("refund", () => `refunded ${originalEvent.data.orderId}`);
      logger.warn(`order ${originalEvent.data.orderId} was not charged: ${error.message}`);
    },
  },
  { event: "shop/order.created" },
  ({ event, step, logger }) =>
    step.run("charge card", () => {
      const { orderId, fail } = event.data;
      if (fail) {
        logger.error(`the bank declined the card of order ${orderId}`);
        throw new NonRetriableError("the card was declined");
      }
      logger.info(`charged order ${orderId}`);
      return { charged: true };
    }),
);
