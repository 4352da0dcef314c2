import { t } from "@lingui/core/macro";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { CopyBlock } from "#/components/ui/code/copy-block.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { createDateFormat } from "#/lib/format.ts";

/** A secret that was just created, and until when the previous one stays valid. */
export type NewSecret = { name: string; clientId: string; secret: string; previousValidUntil: Date | null };
const dateTimeFormat = createDateFormat({ dateStyle: "long", timeStyle: "short" });

/** Shows the secret of an application, once. It closes only by its button. */
export function ApplicationSecretDialog({ newSecret, close }: { newSecret: NewSecret | null; close(): void }) {
  const { name = "", clientId = "", secret = "", previousValidUntil = null } = newSecret ?? {};
  const samples = [
    { name: ".env", code: `CLIENT_ID=${clientId}\nCLIENT_SECRET=${secret}` },
    { name: "shell", code: `export CLIENT_ID=${clientId}\nexport CLIENT_SECRET=${secret}` },
  ];
  return (
    <Dialog
      open={newSecret !== null}
      onClose={close}
      dismissible={false}
      title={t`The secret of ${name}`}
      description={
        previousValidUntil
          ? t`Copy it now. Once this closes, nobody can read it again, including us. The one before holds until ${dateTimeFormat.format(previousValidUntil)}.`
          : t`Copy it now. Once this closes, nobody can read it again, including us.`
      }
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
