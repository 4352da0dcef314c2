import type { ProviderKey, ProviderKeyList } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { PROVIDER_KEY_QUERY_KEYS } from "./queries.ts";

type Provider = ProviderKeyList["providers"][number];

const schema = z.object({
  provider: z.string(),
  key: z
    .string()
    .refine((value) => value.trim() !== "", { error: t`Key is not valid.` })
    .max(4000, { error: t`Key may have at most 4000 characters.` }),
  label: z.string().max(64, { error: t`Label may have at most 64 characters.` }),
});
type Values = z.infer<typeof schema>;

type Props = {
  /** The providers to choose from, at least one. */
  providers: readonly Provider[];
  /** The key that is replaced; null for a new one. */
  replaced: ProviderKey | null;
  close(): void;
};

/** Sets the organization's key for a provider. */
export function ProviderKeyDialog({ providers, replaced, close }: Props) {
  const save = useAction(
    ({ provider, key, label }: Values) =>
      feather.providerKeys.set(provider, { key: key.trim(), label: label.trim() === "" ? null : label.trim() }),
    { success: ({ name }) => t`The key for ${name} is set`, invalidates: PROVIDER_KEY_QUERY_KEYS },
  );
  const choosesProvider = replaced === null && providers.length > 1;
  const title = replaced ? t`Replace the key for ${replaced.name}` : t`Add a key`;
  const [first] = providers;
  return (
    <Dialog
      open
      onClose={close}
      title={!replaced && !choosesProvider && first ? t`Add a key for ${first.name}` : title}
      description={t`The next calls of your organization to the provider are sent with it, and its account there pays for them.`}
    >
      <div className="mt-4">
        <Form<Values>
          schema={schema}
          initial={{
            provider: replaced?.provider ?? first?.id ?? "",
            key: "",
            label: replaced?.label ?? "",
          }}
          fields={[
            ...(choosesProvider
              ? [
                  {
                    name: "provider" as const,
                    label: t`Provider`,
                    kind: "choice" as const,
                    options: providers.map(({ id, name }) => ({ value: id, label: name })),
                  },
                ]
              : []),
            {
              name: "key",
              label: t`Key`,
              type: "password",
              autoComplete: "off",
              autoFocus: !choosesProvider,
              hint: t`It is stored encrypted, and only its last four characters are shown again.`,
            },
            { name: "label", label: t`Label`, autoComplete: "off", hint: t`What you call it. It may be left empty.` },
          ]}
          renderSummary={({ provider, key }) => (
            <KeyNotes provider={providers.find(({ id }) => id === provider)} value={key} />
          )}
          submitLabel={replaced ? t`Replace the key` : t`Set the key`}
          cancel={close}
          submit={async (values) => {
            await save.submit(values);
            close();
          }}
        />
      </div>
    </Dialog>
  );
}

/** Where the provider's keys are made, and whether what was entered looks like another provider's key. */
function KeyNotes({ provider, value }: { provider: Provider | undefined; value: string }) {
  if (!provider) return null;
  const { name, key_url, key_prefix } = provider;
  const isUnusual = key_prefix !== null && value.trim() !== "" && !value.trim().startsWith(key_prefix);
  return (
    <>
      <p className="small mt-4">
        {/* In a new tab, so that what was entered stays. */}
        <a className="link" href={key_url} target="_blank" rel="noreferrer">
          {t`Make a key at ${name}`} ↗
        </a>
      </p>
      {isUnusual ? (
        <p className="notice mt-4" role="status">
          {t`Keys of ${name} begin with ${key_prefix}, this one does not. It may be the key of another provider.`}
        </p>
      ) : null}
    </>
  );
}
