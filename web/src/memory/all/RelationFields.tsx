import { useId, useState } from "react";
import { type Listed, titleOf } from "../memoryApi";
import { useShown, useTold } from "../memoryNews";

export interface RelationGiven {
  target_id: string;
  type: string;
  weight: number;
}

interface Props {
  relations: RelationGiven[];
  scope: string;
  /** The memory itself is related to others only. */
  without?: string;
  change: (relations: RelationGiven[]) => void;
}

const TYPES = ["relates_to", "depends_on", "part_of", "supports", "contradicts", "supersedes"];
const words = (type: string) => type.replaceAll("_", " ");

/** To which other memories this one leads. */
export function RelationFields({ relations, scope, without, change }: Props) {
  const id = useId();
  const [type, setType] = useState(TYPES[0]!);
  const [name, setName] = useState("");
  const { value } = useTold<{ items: Listed[] }>("list_memories", { scope, limit: 200 }, true);
  const names = useShown(relations.map(({ target_id }) => target_id));
  const others = (value?.items ?? []).filter(({ node_id }) => node_id !== without);
  const target = others.find((other) => other.name === name);
  const add = () => {
    if (!target) return;
    const kept = relations.filter((each) => each.target_id !== target.node_id || each.type !== type);
    change([...kept, { target_id: target.node_id, type, weight: 1 }]);
    setName("");
  };
  return (
    <fieldset className="memory-relations">
      <legend>Relations</legend>
      <ul>
        {relations.map((relation) => (
          <li key={`${relation.target_id} ${relation.type}`}>
            {words(relation.type)} {titleOf(names.get(relation.target_id)?.name ?? others.find(({ node_id }) => node_id === relation.target_id)?.name ?? "…")}
            <button type="button" className="quiet" aria-label="Take this relation away" onClick={() => change(relations.filter((each) => each !== relation))}>
              ×
            </button>
          </li>
        ))}
      </ul>
      <div className="row">
        <select aria-label="Kind of relation" value={type} onChange={(event) => setType(event.target.value)}>
          {TYPES.map((each) => (
            <option key={each} value={each}>
              {words(each)}
            </option>
          ))}
        </select>
        <input aria-label="Name of the other memory" list={`${id}names`} value={name} placeholder="its name" onChange={(event) => setName(event.target.value)} />
        <datalist id={`${id}names`}>
          {others.map((other) => (
            <option key={other.node_id} value={other.name} />
          ))}
        </datalist>
        <button type="button" disabled={!target} onClick={add}>
          Relate
        </button>
      </div>
    </fieldset>
  );
}
