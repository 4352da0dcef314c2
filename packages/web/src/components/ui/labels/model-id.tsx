import styles from "./model-id.module.css";

/** A model id `owner/name` with the owner dimmed. */
export function ModelId({ id }: { id: string }) {
  const slash = id.indexOf("/") + 1;
  return (
    <span className="id">
      <span className={styles.owner}>{id.slice(0, slash)}</span>
      {id.slice(slash)}
    </span>
  );
}
