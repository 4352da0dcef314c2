import { Popover } from "@base-ui/react/popover";
import type { StorePull } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { ControlProvider } from "#/components/ui/controls/control-provider.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { paths } from "#/config/paths.ts";
import { PullStatus } from "#/entities/store/pull-status.tsx";
import { pullsQuery } from "#/entities/store/queries.ts";
import styles from "./download-activity.module.css";

type Props = {
  /** Props of the button. */
  trigger: { className: string; "aria-label": string };
  running: readonly StorePull[];
  ended: readonly StorePull[];
  onClose(): void;
  /** What the button shows. */
  children: ReactNode;
};

/** The button with the list of downloads, which is open at first. */
export function DownloadActivityList({ trigger, running, ended, onClose, children }: Props) {
  const [isOpen, setOpen] = useState(true);
  function change(open: boolean): void {
    setOpen(open);
    if (!open) onClose();
  }
  return (
    <ControlProvider>
      <Popover.Root open={isOpen} onOpenChange={change}>
        <Popover.Trigger {...trigger}>{children}</Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner className={styles.positioner} sideOffset={8} align="end" collisionPadding={8}>
            <Popover.Popup className={styles.popup}>
              <Popover.Title className="h4">{t`Downloads`}</Popover.Title>
              <Downloads running={running} ended={ended} leave={() => change(false)} />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </ControlProvider>
  );
}

/** The downloads, read again while they are shown. */
function Downloads({ running, ended, leave }: Pick<Props, "running" | "ended"> & { leave(): void }) {
  const { dataUpdatedAt } = useQuery(pullsQuery);
  return (
    <>
      <ul>
        {[...running, ...ended].map((pull) => (
          <li key={pull.id}>
            <Link className="block mb-2" to={paths.model(pull.model_id)} onClick={leave}>
              <ModelId id={pull.model_id} />
            </Link>
            {running.includes(pull) ? (
              <PullStatus pull={pull} updatedAt={dataUpdatedAt} />
            ) : (
              <p className="small muted">{describeEnd(pull)}</p>
            )}
          </li>
        ))}
      </ul>
      <Link className="link small" to="/admin/downloads" onClick={leave}>
        {t`All downloads`}
      </Link>
    </>
  );
}

function describeEnd({ state, error }: StorePull): string {
  if (state === "failed") return t`The download failed: ${error ?? t`no reason is known`}`;
  return state === "done" ? t`Downloaded. It can be called.` : t`Stopped. What was downloaded is kept.`;
}
