import type { Collection } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { modelsQuery } from "#/entities/models/queries.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { listEmbeddingChoices, toEmbeddingChoice, toEmbeddingModel } from "./embedding-choice.ts";
import { COLLECTION_KEYS } from "./queries.ts";

const SCHEMA = z.object({
  name: z
    .string()
    .trim()
    .min(1, { error: t`Name is missing.` })
    .max(80, { error: t`Name may have at most 80 characters.` }),
  description: z.string().trim().max(500, { error: t`Description may have at most 500 characters.` }),
  access: z.enum(["members", "owner"]),
  model: z.string(),
});
type Values = z.infer<typeof SCHEMA>;

type Props = {
  /** The collection that is changed; null for a new one. */
  collection: Collection | null;
  /** Receives what is stored. */
  saved(collection: Collection): void;
  close(): void;
};

/** Creates a collection of documents, or changes one. */
export function CollectionDialog({ collection, saved, close }: Props) {
  const models = useQuery(modelsQuery({ tags: "embedding", perPage: 100 }));
  const save = useAction(
    ({ name, description, access, model }: Values, options) => {
      const fields = {
        ...{ name, description },
        ...(access !== collection?.access && { access }),
        ...toEmbeddingModel(model, collection),
      };
      return collection
        ? feather.collections.update(collection.id, fields)
        : feather.collections.create(fields, options);
    },
    {
      success: ({ name }) => (collection ? t`${name} is changed` : t`${name} is created`),
      invalidates: COLLECTION_KEYS,
    },
  );
  return (
    <Dialog open onClose={close} title={collection ? t`Change ${collection.name}` : t`New collection`}>
      <div className="mt-4">
        <Form<Values>
          schema={SCHEMA}
          initial={{
            name: collection?.name ?? "",
            description: collection?.description ?? "",
            access: collection?.access ?? "members",
            model: toEmbeddingChoice(collection),
          }}
          fields={listFields(collection, models.data?.items.map(({ id }) => id) ?? [])}
          submitLabel={collection ? t`Save` : t`Create the collection`}
          cancel={close}
          submit={async (values) => saved(await save.submit(values))}
        />
      </div>
    </Dialog>
  );
}

const listFields = (collection: Collection | null, models: readonly string[]) => [
  { name: "name" as const, label: t`Name`, autoComplete: "off", autoFocus: true },
  { name: "description" as const, label: t`Description`, kind: "text" as const, rows: 2 },
  {
    name: "access" as const,
    label: t`Who may read it`,
    kind: "choice" as const,
    options: [
      { value: "members", label: t`All members of the organization` },
      { value: "owner", label: t`Only the person who created it` },
    ],
    hint: t`Only the person who created it can change this. One that only you may read is deleted when you leave the organization.`,
  },
  {
    name: "model" as const,
    label: t`Model for embeddings`,
    kind: "choice" as const,
    options: listEmbeddingChoices(collection, models),
    hint: collection
      ? t`With another model all vectors are made anew, and your organization pays for these calls.`
      : t`It compares passages by meaning. Your organization pays for its calls.`,
  },
];
