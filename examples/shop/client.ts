/** The app's one client; its schema gives `send()` and the functions their types. */
import { Client, type StandardSchema } from "@svc/sdk";

export interface Order {
  orderId: string;
  email: string;
  /** Makes `charge` fail for good, to see `onFailure` at work. */
  fail?: boolean;
}

/** A schema written by hand; zod, valibot and arktype schemas fit in the same place. */
const order: StandardSchema<Order> = {
  "~standard": {
    version: 1,
    vendor: "shop",
    validate: (value) => {
      const { orderId, email } = value as Partial<Order>;
      if (typeof orderId !== "string")
        return { issues: [{ message: "must be a string", path: ["orderId"] }] };
      if (typeof email !== "string") return { issues: [{ message: "must be a string", path: ["email"] }] };
      return { value: value as Order };
    },
  },
};

const shipment: StandardSchema<{ orderId: string; label: string }> = {
  "~standard": { version: 1, vendor: "shop", validate: (value) => ({ value: value as never }) },
};

export const client = new Client({
  id: "shop",
  schemas: { "shop/order.created": order, "shop/order.shipped": shipment },
});
