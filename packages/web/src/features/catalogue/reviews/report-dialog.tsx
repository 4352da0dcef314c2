import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";

/** Reasons as they are sent to admins, and as the dialog labels them. */
const REASONS = [
  ["Advertising", t`It is advertising`],
  ["Insulting", t`It insults somebody`],
  ["Not about this model", t`It is not about this model`],
  ["Untrue", t`It is untrue`],
  ["Somebody's personal data", t`It holds somebody's personal data`],
  ["Another reason", t`Another reason`],
] as const;
const OTHER_REASON = "Another reason";
const MAX_COMMENT_LENGTH = 900;

const schema = z
  .object({
    reason: z.string(),
    words: z
      .string()
      .trim()
      .max(MAX_COMMENT_LENGTH, { error: t`At most ${MAX_COMMENT_LENGTH} characters.` }),
  })
  .refine(({ reason, words }) => reason !== OTHER_REASON || words !== "", {
    path: ["words"],
    error: t`Say what is wrong with it.`,
  });

type Props = { id: string; reviewId: string; open: boolean; close(): void };

/** Asks for the reason and reports a review to the admins. */
export default function ReportDialog({ id, reviewId, open, close }: Props) {
  const report = useAction((reason: string) => feather.models.reviews.report(id, reviewId, { reason }), {
    success: () => t`Reported`,
    onSuccess: close,
  });
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Report this review`}
      description={t`Whoever runs this server looks at it. It stays here until they have decided.`}
    >
      <div className="mt-4">
        <Form
          schema={schema}
          initial={{ reason: REASONS[0][0], words: "" }}
          fields={[
            {
              name: "reason",
              kind: "choice",
              label: t`What is wrong with it?`,
              options: REASONS.map(([value, label]) => ({ value, label })),
            },
            { name: "words", kind: "text", rows: 3, label: t`In your words`, hint: t`If it needs saying.` },
          ]}
          submitLabel={t`Report`}
          cancel={close}
          submit={({ reason, words }) => report.submit(words === "" ? reason : `${reason}: ${words}`)}
        />
      </div>
    </Dialog>
  );
}
