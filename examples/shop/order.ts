/** Sends one order: `npm run order -- [order id] [fail]`. */
import { client } from "./client.ts";

const [orderId = String(Date.now()), fail] = process.argv.slice(2);
const { ids } = await client.send({
  name: "shop/order.created",
  data: { orderId, email: "ada@example.com", fail: fail === "fail" },
});
console.log(`sent order ${orderId} as event ${ids[0]}`);
