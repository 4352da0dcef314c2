import type { BackendProvider } from "@feather/sdk";
import { i18n } from "@lingui/core";
import { t } from "@lingui/core/macro";

/** The kinds of providers in the order of the page, with what each sells. */
export const PROVIDER_KINDS: readonly { kind: BackendProvider["kind"]; title: string; description: string }[] = [
  { kind: "router", title: t`Routers`, description: t`One key for the models of many hosts.` },
  { kind: "maker", title: t`Makers`, description: t`Their own models, from where they are made.` },
  { kind: "host", title: t`Hosts`, description: t`Open models on machines of theirs.` },
  { kind: "cloud", title: t`Clouds`, description: t`Models in an account and a region of yours.` },
];

const BILLING_SENTENCES: Record<BackendProvider["billing"], string> = {
  tokens: t`By tokens, each month or from credit.`,
  tokens_and_requests: t`By tokens and requests.`,
  subscription: t`A price per month.`,
  trial: t`Free for trials, within limits.`,
};

/** Returns what a provider bills, as a sentence. */
export const billingSentence = ({ billing }: Pick<BackendProvider, "billing">): string => BILLING_SENTENCES[billing];

/** Returns where the models of a provider run, as a sentence. */
export function locationSentence({ location }: Pick<BackendProvider, "location">): string {
  if (location === null) return t`The provider does not say.`;
  if (location === "chosen") return t`As you choose.`;
  if (location === "several") return t`In several countries, which the provider chooses.`;
  return new Intl.DisplayNames([i18n.locale], { type: "region" }).of(location) ?? location;
}

const PLACEHOLDER_LABELS: Readonly<Record<string, string>> = {
  project: t`Project`,
  region: t`Region`,
  resource: t`Resource`,
};

/** Returns the label of the field for a value of a provider's address. */
export const placeholderLabel = (name: string): string => PLACEHOLDER_LABELS[name] ?? name;
