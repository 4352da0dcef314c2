import { t } from "@lingui/core/macro";
import { CodeTabs, CopyBlock } from "#/components/ui/code.tsx";
import { Dialog } from "#/components/ui/dialog.tsx";

/** Shows the secret of a new key, once. It closes only by its button. */
export function KeySecretDialog({
  created,
  close,
}: {
  created: { name: string; secret: string } | null;
  close(): void;
}) {
  const secret = created?.secret ?? "";
  const samples = [
    {
      name: "shell",
      code: `npm install -g ${location.origin}/cli.tgz\nexport FEATHER_BASE_URL=${location.origin}\nexport FEATHER_API_KEY=${secret}\nfeather chat "Hello"`,
    },
    { name: ".env", code: `FEATHER_API_KEY=${secret}\nFEATHER_BASE_URL=${location.origin}` },
    { name: "curl", code: `curl ${location.origin}/v1/models \\\n  -H "authorization: Bearer ${secret}"` },
  ];
  return (
    <Dialog
      open={created !== null}
      onClose={close}
      dismissible={false}
      title={t`Key “${created?.name ?? ""}” is ready`}
      description={t`Copy it now. Once this closes, nobody can read it again, including us.`}
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
