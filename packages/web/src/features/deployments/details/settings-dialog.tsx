import type { Deployment } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { type DeploymentDraft, diffDrafts, toDraft } from "../form/draft.ts";
import { setServerErrors, useDraftForm } from "../form/draft-form.ts";
import { MachineField } from "../form/machine-field.tsx";
import { ModelField } from "../form/model-field.tsx";
import { RevisionField } from "../form/revision-field.tsx";
import { RunFields } from "../form/run-fields.tsx";
import { ScaleFields } from "../form/scale-fields.tsx";
import { providersQuery } from "../queries.ts";
import type { DeploymentActions } from "../use-deployment-actions.ts";

/** The group of settings that is edited. */
export type SettingsPart = "scale" | "edit";
type Props = { deployment: Deployment; part: SettingsPart | null; close(): void; update: DeploymentActions["update"] };

/** Edits the scaling or the other settings of a deployment. */
export function SettingsDialog({ deployment, part, close, update }: Props) {
  const { name } = deployment;
  return (
    <Dialog
      open={part !== null}
      onClose={close}
      title={part === "scale" ? t`Scale ${name}` : t`Edit ${name}`}
      description={
        part === "scale"
          ? t`Replicas that run go on; only their number changes.`
          : t`Replicas are replaced one after the other. It goes on answering meanwhile.`
      }
    >
      {part ? <SettingsForm deployment={deployment} part={part} close={close} update={update} /> : null}
    </Dialog>
  );
}

function SettingsForm({ deployment, part, close, update }: Props & { part: SettingsPart }) {
  // The settings when the dialog was opened. Other users may change them while it is open, so only fields that were
  // edited here are sent.
  const [initial] = useState(() => toDraft(deployment));
  const form = useDraftForm(initial);
  const [errorText, setErrorText] = useState<string | null>(null);
  const { data: providers } = useQuery(providersQuery);
  const provider = providers?.find(({ id }) => id === deployment.provider_id);
  const { isSubmitting } = form.formState;

  async function save(edited: DeploymentDraft): Promise<void> {
    setErrorText(null);
    const changes = diffDrafts(initial, edited);
    if (Object.keys(changes).length === 0) return close();
    try {
      await update(changes, diffDrafts(edited, initial));
      close();
    } catch (error) {
      setErrorText(setServerErrors(form, error).message);
    }
  }

  return (
    <form className="mt-4" onSubmit={form.handleSubmit(save)} noValidate>
      {errorText ? (
        <p className="notice mb-4" role="alert">
          {errorText}
        </p>
      ) : null}
      {part === "scale" ? (
        <ScaleFields form={form} />
      ) : (
        <>
          <ModelField form={form} />
          <RevisionField form={form} />
          <MachineField form={form} provider={provider} />
          <RunFields form={form} />
        </>
      )}
      <div className="actions">
        <button type="button" className="btn" onClick={close}>
          {t`Cancel`}
        </button>
        <button type="submit" className="btn primary" disabled={isSubmitting} aria-busy={isSubmitting}>
          {isSubmitting ? t`Working …` : part === "scale" ? t`Scale` : t`Save changes`}
        </button>
      </div>
    </form>
  );
}
