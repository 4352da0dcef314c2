import type { Scope } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { CopyBlock } from "#/components/ui/code/copy-block.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { createCallSamples } from "#/entities/models/call-samples.ts";
import { getDefaultModel } from "#/entities/models/default-model.ts";
import { queries } from "#/lib/queries.ts";
import styles from "./key-secret-dialog.module.css";

/** A new secret of a key, with what examples depend on. */
export type NewSecret = {
  name: string;
  secret: string;
  scopes: readonly Scope[];
  /** Ids of the models that the key may call; empty means all. */
  allowedModels: readonly string[];
};

type Props = { created: NewSecret | null; close(): void };

/** Shows the secret of a new key, once, with calls to copy. It closes only by its button. */
export function KeySecretDialog({ created, close }: Props) {
  const { data } = useQuery({
    ...queries.models.list.queryOptions({ availability: "warm", perPage: 20 }),
    enabled: created !== null && created.allowedModels.length === 0,
  });
  const model = created?.allowedModels[0] ?? getDefaultModel(data?.items ?? []);
  return (
    <Dialog
      open={created !== null}
      onClose={close}
      dismissible={false}
      title={t`Key “${created?.name ?? ""}” is ready`}
      description={t`Copy it now. Once this closes, nobody can read it again, including us.`}
    >
      <CopyBlock text={created?.secret ?? ""} />
      <div className={styles.samples}>
        <CodeTabs samples={created === null ? [] : createSamples(created, model)} />
      </div>
      <div className="actions">
        <button type="button" className="btn primary" onClick={close}>
          {t`I have copied it`}
        </button>
      </div>
    </Dialog>
  );
}

function createSamples({ secret, scopes }: NewSecret, model: string) {
  const { origin } = location;
  const environment = { name: ".env", code: `FEATHER_API_KEY=${secret}\nFEATHER_BASE_URL=${origin}` };
  if (!scopes.includes("api.access")) return [environment];
  const shell = `npm install -g ${origin}/cli.tgz\nexport FEATHER_BASE_URL=${origin}\nexport FEATHER_API_KEY=${secret}\nfeather chat -m ${model} "Hello"`;
  const calls = createCallSamples(model, origin, secret).filter(({ name }) => name === "curl" || name === "Python");
  return [...calls.slice(0, 1), { name: "shell", code: shell }, ...calls.slice(1), environment];
}
