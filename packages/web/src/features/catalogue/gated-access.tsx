import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Form } from "#/components/ui/form.tsx";
import { LoginLink } from "#/components/ui/login-link.tsx";
import { type Model, modelQuery } from "#/entities/models/queries.ts";
import { useUser } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";

const REQUIRED_PERMISSION = "manage_models";
const loadUnlockSchema = async () => (await import("./unlock-schema.ts")).unlockSchema;

/** Says whether a gated model is unlocked for the user's organization, and unlocks it. */
export function GatedAccess({ model }: { model: Model }) {
  const { user } = useUser();
  if (!model.is_gated) return null;
  return (
    <section className="mt-6" id="unlock">
      <h2 className="h4 mb-2">{t`Gated by its publisher`}</h2>
      {user === null ? (
        <p className="mid">
          <Trans>
            <LoginLink>Log in</LoginLink> to unlock it for your organization.
          </Trans>
        </p>
      ) : model.access?.unlocked ? (
        <p className="mid" role="status">{t`It is open to your organization.`}</p>
      ) : user.permissions.includes(REQUIRED_PERMISSION) ? (
        <UnlockForm model={model} isAdmin={user.is_admin} />
      ) : (
        <p className="mid">{t`Somebody who may run private models in your organization can unlock it here.`}</p>
      )}
    </section>
  );
}

function UnlockForm({ model: { id }, isAdmin }: { model: Model; isAdmin: boolean }) {
  const unlock = useAction((token: string) => feather.models.unlock(id, token === "" ? {} : { access_token: token }), {
    success: () => t`${id} is unlocked`,
    invalidates: [modelQuery(id).queryKey, queries.models.list.key()],
  });
  return (
    <>
      <p className="mid mb-4">
        <Trans>
          Accept its terms on{" "}
          <a className="link" href={`https://huggingface.co/${id}`} rel="noopener noreferrer">
            its page on Hugging Face
          </a>
          , then show that you may read it with a token of that account. Nobody else in your organization needs one.
        </Trans>
      </p>
      <Form
        schema={loadUnlockSchema}
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
