import type { WebhookEndpoint, WebhookEndpointCreate, WebhookEventType } from "@feather/sdk";
import { zodResolver } from "@hookform/resolvers/zod";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { z } from "zod";
import { ChoiceList } from "#/components/ui/controls/choice-list.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { Field } from "#/components/ui/forms/field.tsx";
import { listErrorMessages, useValidatedForm } from "#/components/ui/forms/use-validated-form.ts";
import { EVENT_TYPES, getEventLabel } from "./event-types.ts";
import styles from "./webhooks.module.css";

const schema = z.object({
  url: z
    .string()
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), {
      error: t`The address is not valid: it begins with https://.`,
    })
    .max(2000, { error: t`The address may have at most 2000 characters.` }),
  description: z.string().max(200, { error: t`It may have at most 200 characters.` }),
  event_types: z.array(z.enum(EVENT_TYPES)).min(1, { error: t`Choose one event at least.` }),
});
type Values = z.infer<typeof schema>;

type Props = {
  open: boolean;
  /** The endpoint to change; null for a new one. */
  endpoint: WebhookEndpoint | null;
  close(): void;
  /** An error it throws is shown above the form. */
  save(body: WebhookEndpointCreate): Promise<unknown>;
};

/** A dialog that makes an endpoint, or changes one. */
export function EndpointFormDialog({ open, endpoint, close, save }: Props) {
  return (
    <Dialog open={open} onClose={close} title={endpoint ? t`Change the endpoint` : t`New endpoint`}>
      {open ? <EndpointForm endpoint={endpoint} close={close} save={save} /> : null}
    </Dialog>
  );
}

function EndpointForm({ endpoint, close, save }: Omit<Props, "open">) {
  const form = useValidatedForm<Values>({
    resolver: zodResolver(schema),
    initial: {
      url: endpoint?.url ?? "",
      description: endpoint?.description ?? "",
      event_types: (endpoint?.event_types ?? []) as WebhookEventType[],
    },
  });
  const [failure, setFailure] = useState<unknown>(null);
  const { errors, isSubmitting } = form.formState;
  async function submit(values: Values): Promise<void> {
    setFailure(null);
    await save({ ...values, url: values.url.trim(), description: values.description.trim() }).catch(setFailure);
  }
  return (
    <form className={styles.form} onSubmit={form.handleSubmit(submit)} noValidate>
      <ErrorNotice error={failure} />
      <Field
        label={t`Address`}
        type="url"
        autoComplete="off"
        autoFocus
        placeholder="https://"
        errors={listErrorMessages(errors.url)}
        hint={t`Events are sent there by POST. It must be reachable from the internet.`}
        {...form.register("url", { autoFocus: true })}
      />
      <Field
        label={t`Description`}
        autoComplete="off"
        errors={listErrorMessages(errors.description)}
        hint={t`What it is for. It may be left empty.`}
        {...form.register("description")}
      />
      <ChoiceList legend={t`Send an event when`}>
        {EVENT_TYPES.map((type) => (
          <label key={type}>
            <input type="checkbox" value={type} {...form.register("event_types")} />
            <span>
              {getEventLabel(type)} <code className="mono small faint">{type}</code>
            </span>
          </label>
        ))}
        {listErrorMessages(errors.event_types).map((error) => (
          <p key={error} className="error-text">
            {error}
          </p>
        ))}
      </ChoiceList>
      <div className="actions">
        <button type="button" className="btn" onClick={close}>
          {t`Cancel`}
        </button>
        <button type="submit" className="btn primary" disabled={isSubmitting} aria-busy={isSubmitting}>
          {isSubmitting ? t`Working …` : endpoint ? t`Save` : t`Make the endpoint`}
        </button>
      </div>
    </form>
  );
}
