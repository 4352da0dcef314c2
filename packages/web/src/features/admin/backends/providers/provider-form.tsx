import type { Backend, BackendProvider } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useMemo } from "react";
import { Form } from "#/components/ui/forms/form.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { OutsideLink } from "./outside-link.tsx";
import {
  createProviderSchema,
  isUnusualKey,
  listFurtherFields,
  listProviderFields,
  toInitialValues,
  toProviderInput,
} from "./provider-fields.ts";

type Props = {
  provider: BackendProvider;
  /** All backends, for a name that none of them has. */
  backends: readonly Backend[];
  /** Called with the backend that was added. */
  onAdded(backend: Backend): void;
};

/** Adds a provider as backend: its key, and what else its address needs. */
export function ProviderForm({ provider, backends, onAdded }: Props) {
  const { name, key_url, key_prefix } = provider;
  const schema = useMemo(() => createProviderSchema(provider), [provider]);
  const add = useAction(
    (input: Parameters<typeof feather.admin.backends.create>[0]) => feather.admin.backends.create(input),
    {
      success: (backend) => t`${backend.name} is added`,
      invalidates: ADMIN_QUERY_KEYS,
    },
  );
  return (
    <Form
      schema={schema}
      initial={toInitialValues(provider, backends)}
      fields={listProviderFields(provider, <OutsideLink to={key_url} text={t`Make a key`} />)}
      more={{ label: t`More`, fields: listFurtherFields(provider) }}
      renderSummary={(values) =>
        isUnusualKey(provider, values.api_key) ? (
          <p className="notice mb-4" role="status">
            {t`Keys of ${name} begin with ${key_prefix ?? ""}, this one does not. It may be the key of another provider.`}
          </p>
        ) : null
      }
      submitLabel={t`Add ${name}`}
      block={false}
      submit={async (values) => onAdded(await add.submit(toProviderInput(provider, values)))}
    />
  );
}
