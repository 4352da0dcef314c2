import type { ServerSettings } from "@feather/sdk";
import type { Context } from "../../../context.ts";

/** Says how saved values come into use. */
export const RESTART_HINT = "Saved values are used after the next start: feather admin settings restart";

/** Saves values, or removes those that are null, all together. `message` says what was done. */
export async function saveSettings(
  { client, output, signal }: Pick<Context, "client" | "output" | "signal">,
  values: Readonly<Record<string, string | null>>,
  message: string,
): Promise<void> {
  const saved: ServerSettings = await (await client()).admin.saveSettings({ values: { ...values } }, { signal });
  const names = Object.keys(values);
  const items = saved.items.filter(({ name }) => names.includes(name));
  output.printChange({ value: { items, needs_restart: saved.needs_restart }, id: names.join(" "), message });
  if (saved.needs_restart) output.hint(RESTART_HINT);
}
