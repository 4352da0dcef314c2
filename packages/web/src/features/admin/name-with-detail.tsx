/** A name written by a user, with a smaller detail below. */
export function NameWithDetail({ name, detail }: { name: string; detail?: string | null }) {
  return (
    <>
      <div className="strong user-text" dir="auto">
        {name}
      </div>
      {detail ? (
        <div className="small faint user-text" dir="auto">
          {detail}
        </div>
      ) : null}
    </>
  );
}
