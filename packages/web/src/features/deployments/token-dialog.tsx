import { t } from "@lingui/core/macro";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { CopyBlock } from "#/components/ui/code/copy-block.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";

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
