import { t } from "@lingui/core/macro";
import { useNavigate } from "react-router-dom";
import { z } from "zod";
import { FormDialog } from "#/features/admin/forms/form-dialog.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { KINDS } from "./labels.ts";

const rules = z.object({
  kind: z.enum(["post", "page"]),
  slug: z
    .string()
    .trim()
    .max(100, t`At most 100 characters.`)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, t`Small letters and digits, with single hyphens between them.`),
});

/** Asks what is to be written and at which address, and leads to the editor. */
export function NewContentDialog({ close }: { close(): void }) {
  const navigate = useNavigate();
  return (
    <FormDialog<z.infer<typeof rules>>
      open
      title={t`Write a post or page`}
      description={t`Nobody sees it before you publish it.`}
      close={close}
      schema={rules}
      initial={{ kind: "post", slug: "" }}
      fields={[
        {
          name: "kind",
          label: t`Kind`,
          kind: "choice",
          options: [
            { value: "post", label: KINDS.post },
            { value: "page", label: KINDS.page },
          ],
        },
        {
          name: "slug",
          label: t`Address`,
          hint: t`A post lies below /blog/, a page at the top, such as /imprint. It stays the same.`,
        },
      ]}
      submitLabel={t`Write it`}
      submit={async ({ kind, slug }) => {
        await navigate(adminPaths.contentItem(kind, slug));
        return null;
      }}
    />
  );
}
