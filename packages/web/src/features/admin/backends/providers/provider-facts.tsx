import type { BackendProvider } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { DetailList } from "#/components/ui/lists/detail-list.tsx";
import { OutsideLink } from "./outside-link.tsx";
import { billingSentence, locationSentence } from "./provider-labels.ts";

/** What is known of a provider: what it costs, and where its models run. */
export function ProviderFacts({ provider }: { provider: BackendProvider }) {
  const { id, base_url, pricing_url, placeholders } = provider;
  const flags = placeholders.map(({ name, suggestions }) => ` --${name} ${suggestions[0] ?? name}`).join("");
  return (
    <>
      <DetailList>
        <dt>{t`Costs`}</dt>
        <dd>
          {billingSentence(provider)} <OutsideLink to={pricing_url} text={t`Prices`} />
        </dd>
        <dt>{t`Runs`}</dt>
        <dd>{locationSentence(provider)}</dd>
        <dt>{t`Address`}</dt>
        <dd className="mono small user-text">{base_url}</dd>
      </DetailList>
      <TerminalCommand command={`feather admin backends add ${id}${flags}`} distance="close" />
    </>
  );
}
