import { t } from "@lingui/core/macro";
import { MARKETPLACES } from "#/entities/billing/marketplaces.ts";

type Provider = keyof typeof MARKETPLACES;

/** The marketplaces' names for the query parameter with their token. */
const TOKEN_NAMES: readonly [string, Provider | null][] = [
  ["token", null],
  ["x-amzn-marketplace-token", "aws"],
  ["x-gcp-marketplace-token", "gcp"],
];

/** What a visitor brings from a marketplace: its token, or why it is unusable. */
export type MarketplaceLanding =
  | { kind: "ready"; provider: Provider; token: string }
  | { kind: "incomplete"; message: string };

const isProvider = (text: string): text is Provider => Object.hasOwn(MARKETPLACES, text);

/** Returns the marketplace and token of an address, or the missing part. */
export function parseMarketplaceLanding(query: URLSearchParams): MarketplaceLanding {
  const [name, impliedProvider] = TOKEN_NAMES.find(([key]) => query.get(key)) ?? [];
  const token = name === undefined ? "" : (query.get(name) ?? "");
  const provider = query.get("provider") ?? impliedProvider ?? "";
  if (token === "")
    return { kind: "incomplete", message: t`The address holds no token. Open this page from the marketplace itself.` };
  if (token.length > 4000) return { kind: "incomplete", message: t`The token is too long to be one of a marketplace.` };
  if (!isProvider(provider))
    return {
      kind: "incomplete",
      message: t`The address does not say which marketplace sent you: AWS, Azure or Google Cloud.`,
    };
  return { kind: "ready", provider, token };
}
