import type { ToolServer } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useMemo } from "react";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { useAction } from "#/lib/use-action.ts";
import { listChangedKeys, type Owner, serversOf } from "./owner.ts";

const fields = {
  url: z
    .string()
    .refine((value) => /^https?:\/\//.test(value.trim()) && URL.canParse(value.trim()), {
      error: t`Address is not valid: it begins with https://.`,
    })
    .max(2000, { error: t`Address may have at most 2000 characters.` }),
  header_name: z
    .string()
    .refine((value) => /^([A-Za-z][A-Za-z0-9-]*)?$/.test(value.trim()), {
      error: t`Header must be the name of a header, such as Authorization.`,
    })
    .max(64, { error: t`Header may have at most 64 characters.` }),
  header_value: z.string().max(4000, { error: t`Secret may have at most 4000 characters.` }),
};

/** Returns the schema of the form. A name that is taken is refused, since setting it would replace that server. */
const createSchema = (taken: readonly string[]) =>
  z
    .object({
      ...fields,
      name: z
        .string()
        .refine((value) => /^[a-z0-9][a-z0-9-]{0,23}$/.test(value.trim()), {
          error: t`Name has at most 24 small letters, digits and hyphens, and begins with a letter or a digit.`,
        })
        .refine((value) => !taken.includes(value.trim()), {
          error: t`There is a server of this name. Change that one.`,
        }),
    })
    .refine(({ header_name, header_value }) => header_value.trim() === "" || header_name.trim() !== "", {
      path: ["header_name"],
      error: t`Header is needed: it says where the secret is sent.`,
    });
type Values = z.infer<ReturnType<typeof createSchema>>;

type Props = {
  owner: Owner;
  /** The server that is changed; null for a new one, which is registered switched off. */
  server: ToolServer | null;
  /** The names of the other servers. */
  taken: readonly string[];
  /** Receives what is stored. */
  saved(server: ToolServer): void;
  close(): void;
};

/** Registers a server of tools, or changes its address and its secret. What the server refuses is shown at the fields. */
export function ToolServerDialog({ owner, server, taken, saved, close }: Props) {
  const schema = useMemo(() => createSchema(taken), [taken]);
  const save = useAction(
    ({ name, url, header_name, header_value }: Values) =>
      serversOf(owner).set(name.trim(), {
        url: url.trim(),
        header_name: header_name.trim() === "" ? null : header_name.trim(),
        ...(header_value.trim() !== "" && { header_value: header_value.trim() }),
        allowed_tools: server?.allowed_tools ?? null,
        is_enabled: server?.is_enabled ?? false,
      }),
    {
      success: ({ name }) => (server ? t`${name} is changed` : t`${name} is registered, and switched off`),
      invalidates: listChangedKeys(owner),
    },
  );
  return (
    <Dialog
      open
      onClose={close}
      title={server ? t`Change ${server.name}` : t`Add a server`}
      description={server ? undefined : t`You see its tools next, and then switch it on.`}
    >
      <div className="mt-4">
        <Form<Values>
          schema={schema}
          initial={{
            name: server?.name ?? "",
            url: server?.url ?? "",
            header_name: server?.header_name ?? "",
            header_value: "",
          }}
          fields={listFields(server)}
          submitLabel={server ? t`Save` : t`Add the server`}
          cancel={close}
          submit={async (values) => saved(await save.submit(values))}
        />
      </div>
    </Dialog>
  );
}

function listFields(server: ToolServer | null) {
  const name = {
    name: "name" as const,
    label: t`Name`,
    autoComplete: "off",
    autoFocus: true,
    hint: t`The names of its tools begin with it. It cannot be changed later.`,
  };
  return [
    ...(server ? [] : [name]),
    {
      name: "url" as const,
      label: t`Address`,
      type: "url",
      autoComplete: "off",
      autoFocus: server !== null,
      placeholder: "https://",
      hint: t`Where it speaks streamable HTTP of the Model Context Protocol.`,
    },
    {
      name: "header_name" as const,
      label: t`Header of the secret`,
      autoComplete: "off",
      placeholder: "Authorization",
      hint: t`Leave it empty if the server needs no secret.`,
    },
    {
      name: "header_value" as const,
      label: t`Secret`,
      type: "password",
      autoComplete: "off",
      hint: server?.is_secret_set
        ? t`Set. Leave it empty to keep it, for the same header and the same host of the address.`
        : t`Not set. Such as Bearer and a token. It is stored encrypted, and never shown again.`,
    },
  ];
}
