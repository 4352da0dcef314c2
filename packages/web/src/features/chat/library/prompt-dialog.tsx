import type { Prompt } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import type { PromptOwner } from "./queries.ts";
import { useSavePrompt } from "./use-save-prompt.ts";
import { VARIABLE_EXAMPLE } from "./variable-example.ts";

const SCHEMA = z.object({
  name: z
    .string()
    .trim()
    .min(1, { error: t`Name is missing.` })
    .max(60, { error: t`Name may have at most 60 characters.` }),
  text: z
    .string()
    .refine((text) => text.trim() !== "", { error: t`Text is missing.` })
    .max(20_000, { error: t`Text may have at most 20,000 characters.` }),
});

type Props = {
  owner: PromptOwner;
  /** The prompt that is changed; null for a new one. */
  prompt: Prompt | null;
  close(): void;
};

/** Writes a prompt, or changes one. */
export function PromptDialog({ owner, prompt, close }: Props) {
  const save = useSavePrompt(owner, prompt, close);
  return (
    <Dialog open onClose={close} title={prompt ? t`Change ${prompt.name}` : t`New prompt`}>
      <div className="mt-4">
        <Form
          schema={SCHEMA}
          initial={{ name: prompt?.name ?? "", text: prompt?.text ?? "" }}
          fields={[
            { name: "name", label: t`Name`, autoFocus: true, autoComplete: "off" },
            {
              ...{ name: "text", label: t`Text`, kind: "text", rows: 8 },
              hint: t`${VARIABLE_EXAMPLE} is a variable: whoever uses the prompt is asked for its value.`,
            },
          ]}
          submitLabel={t`Save`}
          cancel={close}
          submit={(values) => save.submit({ kind: "message", ...values })}
        />
      </div>
    </Dialog>
  );
}
