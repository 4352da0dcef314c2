import { t } from "@lingui/core/macro";
/** Names of the cloud marketplaces, by their id. */
export const MARKETPLACES = {
  aws: "AWS Marketplace",
  azure: "Azure Marketplace",
  gcp: "Google Cloud Marketplace",
} as const;
type Provider = keyof typeof MARKETPLACES;

/** The marketplaces' names for the query parameter with their token. */
const TOKEN_NAMES: readonly [string, Provider | null][] = [
  ["token", null],
  ["x-amzn-marketplace-token", "aws"],
  ["x-gcp-marketplace-token", "gcp"],
];

/** What a visitor brings from a marketplace: its token, or why it is unusable. */
export type Landing = { kind: "ready"; provider: Provider; token: string } | { kind: "incomplete"; words: string };

const isProvider = (text: string): text is Provider => Object.hasOwn(MARKETPLACES, text);

/** Returns the marketplace and token in an address, or what is missing. */
export function readLanding(query: URLSearchParams): Landing {
  const [name, implied] = TOKEN_NAMES.find(([key]) => query.get(key)) ?? [];
  const token = name === undefined ? "" : (query.get(name) ?? "");
  const provider = query.get("provider") ?? implied ?? "";
  if (token === "")
    return { kind: "incomplete", words: t`The address holds no token. Open this page from the marketplace itself.` };
  if (token.length > 4000) return { kind: "incomplete", words: t`The token is too long to be one of a marketplace.` };
  if (!isProvider(provider))
    return {
      kind: "incomplete",
      words: t`The address does not say which marketplace sent you: AWS, Azure or Google Cloud.`,
    };
  return { kind: "ready", provider, token };
}
