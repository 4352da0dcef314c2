import { can } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { CopyBlock } from "#/components/ui/code/copy-block.tsx";
import { AsideNote } from "#/components/ui/feedback/aside-note.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { keysQuery } from "#/entities/api-keys/queries.ts";
import { useUser } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";

const name = z
  .string()
  .refine((text) => text.trim().length >= 1 && text.trim().length <= 64, { error: t`Name is not valid.` });

type Props = { secret: string | null; onCreated(secret: string): void; next(): void; suggestion: string };

/** The step that creates the first key. Its secret is shown once and used in the next step. */
export function KeyStep({ secret, onCreated, next, suggestion }: Props) {
  const { user } = useUser();
  const keys = useQuery(keysQuery);
  const keyCount = keys.data?.items.length ?? 0;
  return (
    <>
      <h2 className="h3">
        {secret ? t`Your key is ready` : keyCount > 0 ? t`Another key, or one you have` : t`Your first key`}
      </h2>
      {secret ? (
        <>
          <p className="muted mt-2">{t`Copy it now. Once you leave this page nobody can read it again, including us.`}</p>
          <CopyBlock text={secret} />
          <button type="button" className="btn primary mt-6" onClick={next}>
            {t`I have copied it, go on`}
          </button>
        </>
      ) : user && !can(user, "manage_keys") ? (
        <>
          <AsideNote role="note">
            <Trans>
              You are a viewer of {user.organization.name}. Its developers and admins make keys: ask one of them.
            </Trans>
          </AsideNote>
          <button type="button" className="btn primary mt-6" onClick={next}>
            {t`Go on without`}
          </button>
        </>
      ) : keys.isError ? (
        <LoadError subject={t`Your keys`} error={keys.error} retry={() => void keys.refetch()} />
      ) : keys.isPending ? (
        <Skeleton height={120} />
      ) : (
        <CreateKeyForm suggestion={suggestion} onCreated={onCreated} keyCount={keyCount} next={next} />
      )}
    </>
  );
}

function CreateKeyForm({
  suggestion,
  onCreated,
  keyCount,
  next,
}: {
  suggestion: string;
  onCreated(secret: string): void;
  keyCount: number;
  next(): void;
}) {
  const attempt = useAction((keyName: string, options) => feather.apiKeys.create({ name: keyName }, options), {
    showsError: true,
    once: true,
    onSuccess: ({ secret }) => onCreated(secret),
    invalidates: [keysQuery.queryKey],
  });
  return (
    <div className="mt-2">
      <p className="muted mb-5">
        {t`A key lets a program call models as you.`}{" "}
        {keyCount > 0
          ? plural(keyCount, {
              one: "You have one already; its secret cannot be shown again.",
              other: "You have # already; their secrets cannot be shown again.",
            })
          : ""}
      </p>
      <ErrorNotice error={attempt.error} />
      <Form
        schema={z.object({ name })}
        initial={{ name: suggestion }}
        fields={[{ name: "name", label: t`Name`, hint: t`To tell it from others, such as laptop or production.` }]}
        submitLabel={t`Make the key`}
        block={false}
        submit={(values) => attempt.run(values.name.trim())}
      />
      {keyCount > 0 ? (
        <button type="button" className="btn ghost mt-3" onClick={next}>
          {t`Use one that I have`}
        </button>
      ) : null}
    </div>
  );
}
