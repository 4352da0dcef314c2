import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Form } from "#/components/ui/forms/form.tsx";
import { userQuery } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./name-section.module.css";

const schema = z.object({
  name: z.string().trim().min(1, { error: t`Name is not valid.` }).max(64, { error: t`Name is not valid.` }),
});

/** A form that renames the organization. */
export function NameSection({ name }: { name: string }) {
  const rename = useAction((values: z.infer<typeof schema>) => feather.organization.update(values), {
    success: () => t`Renamed`,
    invalidates: [userQuery.queryKey, queries.organization.key()],
  });
  return (
    <section className="mt-8" aria-labelledby="organization-name">
      <h2 className="h4 mb-3" id="organization-name">
        {t`Name`}
      </h2>
      <div className={styles.formColumn}>
        <Form
          key={name}
          schema={schema}
          initial={{ name }}
          fields={[
            { name: "name", label: t`Name of the organization`, hint: t`Stands on invoices and in invitations.` },
          ]}
          submitLabel={t`Rename`}
          block={false}
          secondary
          afterSubmit="keep"
          submit={rename.submit}
        />
      </div>
    </section>
  );
}
