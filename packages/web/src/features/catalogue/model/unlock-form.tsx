import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Form } from "#/components/ui/forms/form.tsx";
import { modelQuery } from "#/entities/models/queries.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { unlockSchema } from "./unlock-schema.ts";

/** Unlocks a gated model for the user's organization. */
export function UnlockForm({ model: { id }, isAdmin }: { model: Model; isAdmin: boolean }) {
  const unlock = useAction((token: string) => feather.models.unlock(id, token === "" ? {} : { access_token: token }), {
    success: () => t`${id} is unlocked`,
    invalidates: [modelQuery(id).queryKey, queries.models.list.key()],
  });
  return (
    <>
      <p className="muted mb-4">
        <Trans>
          Accept its terms on{" "}
          <a className="link" href={`https://huggingface.co/${id}`} rel="noopener noreferrer">
            its page on Hugging Face
          </a>
          , then show that you may read it with a token of that account. Nobody else in your organization needs one.
        </Trans>
      </p>
      <Form
        schema={unlockSchema}
        initial={{ access_token: "" }}
        fields={[
          {
            name: "access_token",
            type: "password",
            label: isAdmin ? t`Token of Hugging Face (optional for you)` : t`Token of Hugging Face`,
            autoComplete: "off",
            hint: isAdmin
              ? t`As an admin of this server you may unlock it without one.`
              : t`It begins with hf_ and needs to read this model only.`,
          },
        ]}
        submitLabel={t`Unlock it`}
        block={false}
        secondary
        submit={({ access_token }) => unlock.submit(access_token.trim())}
      />
    </>
  );
}
