import { t } from "@lingui/core/macro";
/** Marketplaces by the name that they have in addresses. */
export const MARKETPLACES = {
  aws: "AWS Marketplace",
  azure: "Azure Marketplace",
  gcp: "Google Cloud Marketplace",
} as const;
type Provider = keyof typeof MARKETPLACES;

/** How marketplaces themselves call the token they send along. */
const TOKEN_NAMES: readonly [string, Provider | null][] = [
  ["token", null],
  ["x-amzn-marketplace-token", "aws"],
  ["x-gcp-marketplace-token", "gcp"],
];

export type Landing = { kind: "ready"; provider: Provider; token: string } | { kind: "incomplete"; words: string };

const isProvider = (text: string): text is Provider => Object.hasOwn(MARKETPLACES, text);

/** What the address brought from the marketplace, or what is missing. */
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
