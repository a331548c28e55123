/** `/v1/settings`: what the service runs with, to be looked at. Settings are changed where they come from. */
import * as z from "zod";
import type { Config } from "../config.ts";
import { type Route, route } from "../http/route.ts";
import { type AnySetting, GROUPS, SETTING_LIST, showDefault } from "../settings.ts";
import type { ApiParts } from "./parts.ts";

const settingSchema = z
  .object({
    name: z.string(),
    group: z.enum(GROUPS),
    flag: z.string().meta({ examples: ["--retention"] }),
    variable: z.string().meta({ examples: ["SVC_RETENTION"] }),
    value: z.string().nullable().describe("As the flag takes it; null when there is none."),
    default: z.string().describe("The value, or what happens without one."),
    changed: z.boolean().describe("Whether it is another than the default."),
    meaning: z.string(),
  })
  .meta({ id: "Setting" });

type Setting = z.output<typeof settingSchema>;

export function settingsRoutes({ config, version }: Pick<ApiParts, "config" | "version">): Route[] {
  // They hold for the life of the process.
  const settings = SETTING_LIST.filter(
    (row) => !row.kind.secret && row.modes.includes(config.mode) && row.name !== "inMemory",
  ).map((row) => describe(row, config));
  return [
    route({
      method: "GET",
      path: "/v1/settings",
      access: "api",
      permission: "administer",
      account: true,
      summary: "Read the settings the service runs with",
      description: "Keys and tokens are not among them.",
      response: z.object({
        data: z.object({
          mode: z.enum(["dev", "start"]),
          version: z.string(),
          settings: z.array(settingSchema),
        }),
      }),
      handle: () => ({ body: { data: { mode: config.mode, version, settings } } }),
    }),
  ];
}

function describe(row: AnySetting, config: Config): Setting {
  const value = config[row.name as keyof Config];
  const standard = row.defaults[config.mode];
  const list = Array.isArray(value) ? value.map((each) => withoutPassword(String(each))) : null;
  const shown = list ?? value;
  const none = shown === null || (list !== null && list.length === 0);
  return {
    name: row.name,
    group: row.group,
    flag: `--${row.flagTurnsOff ? "no-" : ""}${row.flag}`,
    variable: row.env,
    value: none ? null : row.kind.show(shown as never),
    default: showDefault(row, config.mode),
    changed: JSON.stringify(value) !== JSON.stringify(standard),
    meaning: row.meaning,
  };
}

/** An address without the name and password it may carry. */
function withoutPassword(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.username === "" && url.password === "")) return text;
  url.username = "";
  url.password = "";
  return url.href;
}
