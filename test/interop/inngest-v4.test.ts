import { interoperates } from "./inngest-clients.ts";

interoperates({ version: "v4", mode: "dev", checkpointing: true });
interoperates({ version: "v4", mode: "dev", checkpointing: false });
interoperates({ version: "v4", mode: "start", checkpointing: true });
interoperates({ version: "v4", mode: "start", checkpointing: false });
