/** Serves the functions at /api/svc. */
import { createServer } from "node:http";
import { serve } from "@svc/sdk/node";
import { client } from "./client.ts";
import { charge, greet, ship } from "./functions.ts";

const port = Number(process.env.PORT ?? 3000);
const server = createServer(serve({ client, functions: [ship, greet, charge] }));
server.listen(port, "127.0.0.1", () => console.log(`shop listens on http://127.0.0.1:${port}/api/svc`));
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => server.close(() => process.exit()));
