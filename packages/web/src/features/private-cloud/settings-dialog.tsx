import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "#/components/ui/dialog.tsx";
import { placeFaults, useDraftForm } from "./draft-form.ts";
import { type Deployment, providersQuery } from "./queries.ts";
import { MachineField, ModelField, RevisionField, RunFields, ScaleFields } from "./setting-fields.tsx";
import { changesOf, type Draft, draftOf } from "./settings.ts";
import type { DeploymentActions } from "./use-actions.ts";

/** The group of settings that is edited. */
export type Part = "scale" | "edit";
type Props = { deployment: Deployment; part: Part | null; close(): void; change: DeploymentActions["change"] };

/** Edits the scaling or the other settings of a deployment. */
export function SettingsDialog({ deployment, part, close, change }: Props) {
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
      {part ? <SettingsForm deployment={deployment} part={part} close={close} change={change} /> : null}
    </Dialog>
  );
}

function SettingsForm({ deployment, part, close, change }: Props & { part: Part }) {
  // The settings when the dialog was opened: others may change them meanwhile, and only fields edited here are sent.
  const [before] = useState(() => draftOf(deployment));
  const form = useDraftForm(before);
  const [fault, setFault] = useState<string | null>(null);
  const { data: providers } = useQuery(providersQuery);
  const provider = providers?.find(({ id }) => id === deployment.provider_id);
  const { isSubmitting } = form.formState;

  async function send(after: Draft): Promise<void> {
    setFault(null);
    const changes = changesOf(before, after);
    if (Object.keys(changes).length === 0) return close();
    try {
      await change(changes, changesOf(after, before));
      close();
    } catch (error) {
      setFault(placeFaults(form, error).text);
    }
  }

  return (
    <form className="mt-4" onSubmit={form.handleSubmit(send)} noValidate>
      {fault ? (
        <p className="notice mb-4" role="alert">
          {fault}
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
