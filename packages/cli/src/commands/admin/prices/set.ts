import type { PriceCreate } from "@feather/sdk";
import { formatPricePerMillion } from "@feather/sdk/format";
import { InvalidArgumentError } from "commander";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { optionalText, parseDate } from "../../../flags.ts";
import { formatDayTime } from "../../../output/time.ts";
import { PRICE_FIELDS, toPerToken } from "./price.ts";

/** The model, class or size, and its new price. */
export type PricesSetOptions = { readonly model: string; readonly price: PriceCreate };

/** Sets the price for metered plans, from now or a later date on. */
export const pricesSet: Command<PricesSetOptions> = {
  name: "admin prices set",
  summary: "Set a price from now or a later moment on",
  description: "Past prices never change: requests stay charged by the price of their time.",
  arguments: [{ name: "<model>", summary: "model, class, or name of a size", values: "models" }],
  flags: [
    { name: "--read <usd>", summary: "dollars for a million tokens that are read", parse: parseTokenPrice },
    { name: "--written <usd>", summary: "dollars for a million tokens that are written", parse: parseTokenPrice },
    { name: "--image <usd>", summary: "dollars for an image; nothing if left out", parse: parseAmount },
    {
      name: "--per-second <usd>",
      summary: "dollars for a second of sound that is written down; nothing if left out",
      parse: parseAmount,
    },
    {
      name: "--per-character <usd>",
      summary: "dollars for a character that is read aloud; nothing if left out",
      parse: parseAmount,
    },
    { name: "--per-request <usd>", summary: "dollars for a request; nothing if left out", parse: parseAmount },
    { name: "--from <date>", summary: "when it begins to hold; now if left out", parse: parseDate },
  ],
  confirms: true,
  prints: "one",
  fields: PRICE_FIELDS,
  needs: "admin",
  examples: [
    "feather admin prices set Qwen/Qwen3-32B --read 0.10 --written 0.40 --from 2027-01-01",
    "feather admin prices set openai/whisper-large-v3 --read 0 --written 0 --per-second 0.0001",
  ],
  options: ([model = ""], flags) => {
    const { read: prompt } = optionalText("read", flags.read);
    const { written: completion } = optionalText("written", flags.written);
    if (prompt === undefined || completion === undefined)
      throw new UsageError("a price has two parts: what is read and what is written", "--read 0.10 --written 0.40");
    const others = {
      ...optionalText("image", flags.image),
      ...optionalText("audio_second", flags.perSecond),
      ...optionalText("character", flags.perCharacter),
      ...optionalText("request", flags.perRequest),
      ...(flags.from instanceof Date && { effective_at: flags.from }),
    };
    return { model, price: { prompt, completion, ...others } };
  },
  async run({ client, confirm, output, signal }, { model, price }) {
    const amounts = `${formatPricePerMillion(price.prompt)} read and ${formatPricePerMillion(price.completion)} written, for a million tokens`;
    const from = price.effective_at === undefined ? "now" : formatDayTime(price.effective_at);
    await confirm(`Set the price of ${model} to ${amounts}, from ${from} on?`);
    const set = await (await client()).admin.prices.create(model, price, { signal });
    output.printChange({
      value: set,
      id: set.id,
      message: `${set.model} costs that from ${formatDayTime(set.effective_at)} on.`,
    });
  },
};

/** Parses an amount of dollars in the API's format; throws `InvalidArgumentError`. */
function parseAmount(text: string): string {
  if (!/^\d{1,6}(\.\d{1,9})?$/.test(text))
    throw new InvalidArgumentError("It must be an amount of dollars, such as 0.10.");
  return text;
}

function parseTokenPrice(text: string): string {
  return toPerToken(parseAmount(text));
}
