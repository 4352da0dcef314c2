import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { State } from "#/components/ui/bits.tsx";
import { modelNowQuery } from "./queries.ts";
import { waitingText } from "./waiting.ts";

/** A warm model sends its first token before this. */
const PATIENCE = 1_200;

/** Shown before the first token: the loading stage of the model and when it should be ready. */
export function ModelWait({ model }: { model: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({ ...modelNowQuery(model), enabled: late });
  const text = data ? waitingText(data.availability, new Date()) : null;
  if (text === null) return <p className="dim">{t`Waiting for the first token …`}</p>;
  return (
    <p className="mid">
      <State tier="loading">{text}</State>
    </p>
  );
}
