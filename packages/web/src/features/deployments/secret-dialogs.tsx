import { t } from "@lingui/core/macro";
import { CodeTabs, CopyBlock } from "#/components/ui/code.tsx";
import { Dialog } from "#/components/ui/dialog.tsx";
import { createDateFormat } from "#/lib/format.ts";

type TokenDialogProps = { name: string; url: string | null; token: string | null; close(): void };

/** Shows a deployment's token, which cannot be read again. It closes only on confirmation. */
export function TokenDialog({ name, url, token, close }: TokenDialogProps) {
  const secret = token ?? "";
  const samples = [
    { name: "shell", code: `export DEPLOYMENT_TOKEN=${secret}` },
    { name: ".env", code: `DEPLOYMENT_TOKEN=${secret}\nDEPLOYMENT_URL=${url ?? ""}` },
    { name: "curl", code: `curl ${url ?? ""}/models \\\n  -H "authorization: Bearer ${secret}"` },
  ];
  return (
    <Dialog
      open={token !== null}
      onClose={close}
      dismissible={false}
      title={t`The token of ${name}`}
      description={t`Copy it now. Once this closes, nobody can read it again, including us. It can be replaced.`}
    >
      <CopyBlock text={secret} />
      <div className="mt-4">
        <CodeTabs samples={samples} />
      </div>
      <div className="actions">
        <button type="button" className="btn primary" onClick={close}>
          {t`I have copied it`}
        </button>
      </div>
    </Dialog>
  );
}

/** A one-time link and when it expires. */
export type LoginLink = { url: string; expires_at: Date };
type LinkDialogProps = { name: string; link: LoginLink | null; close(): void };

const timeFormat = createDateFormat({ timeStyle: "short" });

/** Shows a one-time link. */
export function LinkDialog({ name, link, close }: LinkDialogProps) {
  return (
    <Dialog
      open={link !== null}
      onClose={close}
      dismissible={false}
      title={t`One-time link to ${name}`}
      description={t`Whoever opens it first gets a token for an hour. It works once, until ${link ? timeFormat.format(link.expires_at) : ""}.`}
    >
      <CopyBlock text={link?.url ?? ""} />
      <div className="actions">
        <button type="button" className="btn primary" onClick={close}>
          {t`I have copied it`}
        </button>
      </div>
    </Dialog>
  );
}
