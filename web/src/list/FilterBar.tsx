import type { Address } from "../address";
import { lineLook } from "../map/kinds";
import type { GraphModel } from "../shell/graphModel";
import { go, useQueryField } from "../shell/useAddress";
import type { Fetched } from "../shell/useFetched";
import type { SearchAnswer } from "../wire";

interface Props {
  model: GraphModel;
  address: Address;
  found: Fetched<SearchAnswer>;
}

function tell(address: Address, found: Fetched<SearchAnswer>): string {
  if (!address.find.trim()) return "";
  if (found.state === "failed") return found.error.message;
  if (!found.value) return "Searching…";
  const { results, total } = found.value;
  if (total === 0) return "Nothing found";
  return total > results.length ? `Best ${results.length} of ${total.toLocaleString("en")} found` : `${total.toLocaleString("en")} found`;
}

export function FilterBar({ model, address, found }: Props) {
  const [around, setAround] = useQueryField("around");
  const filtered = address.find || address.domain || address.type || address.edge;
  return (
    <search className="filters">
      <input
        type="search"
        aria-label="Find notes"
        placeholder="Find notes"
        value={address.find}
        onChange={(event) => go({ find: event.target.value }, "replace")}
        onKeyDown={(event) => {
          const best = event.key === "Enter" ? found.value?.results[0] : undefined;
          if (best) go({ node: best.id, tab: "info" });
        }}
      />
      <Choice
        label="Domain"
        value={address.domain}
        options={model.domains.map((domain) => [domain, domain])}
        choose={(domain) => go({ domain }, "replace")}
      />
      <Choice
        label="Type"
        value={address.type}
        options={[...model.typeCounts].map(([type, count]) => [type, `${type} (${count.toLocaleString("en")})`])}
        choose={(type) => go({ type }, "replace")}
      />
      {address.view === "map" ? (
        <Choice
          label="Links"
          value={address.edge}
          options={[...model.edgeCounts].map(([type, count]) => [type, `${lineLook(type).label} (${count.toLocaleString("en")})`])}
          choose={(edge) => go({ edge }, "replace")}
        />
      ) : null}
      {address.view === "map" && address.node ? (
        <Choice
          label="Around it"
          value={around}
          options={["1", "2", "3"].map((depth) => [depth, depth === "1" ? "1 step" : `${depth} steps`])}
          choose={(depth) => setAround(depth)}
        />
      ) : null}
      {filtered ? (
        <button type="button" className="link" onClick={() => go({ find: "", domain: "", type: "", edge: "" }, "replace")}>
          Clear
        </button>
      ) : null}
      <output className="soft" aria-live="polite">
        {tell(address, found)}
      </output>
    </search>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: (readonly [string, string])[];
  choose: (value: string) => void;
}

/** Where everything is of one kind there is nothing to choose. */
function Choice({ label, value, options, choose }: ChoiceProps) {
  if (options.length < 2 && !value) return null;
  return (
    <label className="choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(event.target.value)}>
        <option value="">all</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
