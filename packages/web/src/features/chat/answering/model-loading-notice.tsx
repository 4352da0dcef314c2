import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { liveModelQuery } from "#/entities/models/queries.ts";
import { formatWaitState } from "./wait-text.ts";

/** A warm model sends its first token before this. */
const SHOW_STATE_AFTER_MS = 1_200;

/** Shown before the first token: the loading stage of the model and when it should be ready. */
export function ModelLoadingNotice({ model }: { model: string }) {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), SHOW_STATE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({ ...liveModelQuery(model), enabled: isLate });
  const text = data ? formatWaitState(data.availability, new Date()) : null;
  if (text === null) return <p className="faint">{t`Waiting for the first token …`}</p>;
  return (
    <>
      <p className="muted">
        <StateBadge tier="loading">{text}</StateBadge>
      </p>
      {data?.availability.loading_reason ? (
        <p className="muted" dir="auto">
          {data.availability.loading_reason}
        </p>
      ) : null}
    </>
  );
}
