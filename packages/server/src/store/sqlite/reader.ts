/** A reader thread: runs queries on its own read-only connection. */
import { workerData } from "node:worker_threads";
import { queries } from "../queries/index.ts";
import type { Sql } from "../sql.ts";
import { connect } from "./connection.ts";
import type { QueryCall, QueryReply, ReaderData } from "./messages.ts";

const { path, port } = workerData as ReaderData;
const connection = connect({ path, durable: true, readOnly: true });

port.on("message", (message: QueryCall | "close") => {
  if (message === "close") {
    connection.db.close();
    port.close();
    return;
  }
  const [id, name, args] = message;
  let reply: QueryReply;
  try {
    // One snapshot for all statements of a query.
    connection.db.exec("BEGIN");
    const query = queries[name] as (args: unknown) => Sql<unknown>;
    reply = [id, "done", connection.drive(query(args))];
  } catch (error) {
    reply = [id, "failed", (error as Error).message];
  } finally {
    if (connection.db.isTransaction) connection.db.exec("COMMIT");
  }
  port.postMessage(reply);
});
