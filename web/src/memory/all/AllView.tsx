import { useState } from "react";
import { EmptyWeave } from "../../library/Weave";
import { ErrorNote } from "../../shell/ErrorNote";
import { useQueryField } from "../../shell/useAddress";
import { forgetMemories } from "../changing";
import { Importance, SideBySide, Tags } from "../inbox/SideBySide";
import { MergeForm } from "../inbox/MergeForm";
import { restOf, titleOf, type Listed, type ViewProps } from "../memoryApi";
import { useServerTime, useShown, useTold } from "../memoryNews";
import { ago } from "../past/changeWords";
import { Carry } from "./Carry";
import { useLater } from "./useLater";

const PAGE = 50;
const MOST_FOUND = 100;
const MOST_MERGED = 10;
const SORTS = { newest: "newest", changed: "last changed", important: "most important" };

interface Found {
  results: (Omit<Listed, "preview"> & { content: string })[];
}

/** Every live memory: found by words and meaning, filtered by a tag, in an order; two to ten can be merged. */
export function AllView({ status, open }: ViewProps) {
  const [query, setQuery] = useQueryField("q");
  const [tag, setTag] = useQueryField("tag");
  const [sort, setSort] = useQueryField("sort");
  const [page, setPage] = useQueryField("page");
  const [opened] = useQueryField("m");
  const [picked, setPicked] = useState<Map<string, Listed>>(new Map());
  const [merging, setMerging] = useState(false);
  const asked = useLater(query.trim());
  const at = Math.max(0, Number(page || "1") - 1 || 0);
  const tags = tag ? { tags: [tag] } : {};
  const found = useTold<Found>("search_memories", asked ? { query: asked, scope: "*", limit: MOST_FOUND, ...tags } : null, true);
  const all = useTold<{ items: Listed[]; total: number }>("list_memories", asked ? null : { sort: sort || "newest", limit: PAGE, offset: at * PAGE, ...tags }, true);
  const { value, error } = asked ? found : all;
  const rows = asked ? sorted(found.value, sort) : all.value?.items;
  const total = asked ? rows?.length : all.value?.total;
  const pick = (row: Listed, on: boolean) => {
    const next = new Map(picked);
    if (on) next.set(row.node_id, row);
    else next.delete(row.node_id);
    setPicked(next);
  };
  const unpick = () => {
    setPicked(new Map());
    setMerging(false);
  };
  const turn = (to: number) => setPage(to === 0 ? "" : String(to + 1), "push");

  return (
    <div className="memory-all">
      <div className="memory-bar" role="search">
        <input
          type="search"
          aria-label="Search memories"
          placeholder="Words, or what you mean"
          value={query}
          onChange={(event) => {
            setPage("");
            setQuery(event.target.value);
          }}
        />
        <TagField tag={tag} topics={status?.topics.map((topic) => topic.tag) ?? []} choose={(next) => (setPage(""), setTag(next))} />
        <select aria-label="Order" value={sort} onChange={(event) => setSort(event.target.value)}>
          {query ? <option value="">best match first</option> : null}
          {Object.entries(SORTS).map(([value, words]) => (
            <option key={value} value={!query && value === "newest" ? "" : value}>
              {words} first
            </option>
          ))}
        </select>
        <Carry />
      </div>
      {picked.size > 0 ? (
        <div className="memory-picked" role="group" aria-label="What is chosen">
          <span>{picked.size} chosen</span>
          <button type="button" disabled={picked.size < 2 || picked.size > MOST_MERGED} onClick={() => setMerging(true)}>
            {picked.size > MOST_MERGED ? "At most 10 can be merged" : picked.size < 2 ? "Choose one more to merge" : "Merge…"}
          </button>
          <button type="button" onClick={() => void forgetMemories([...picked.values()]).then(unpick)}>
            Forget
          </button>
          <button type="button" className="quiet" onClick={unpick}>
            Choose none
          </button>
        </div>
      ) : null}
      {merging ? <Merging ids={[...picked.keys()]} close={unpick} open={open} /> : null}
      {error && !value ? <ErrorNote error={error} /> : null}
      {rows && rows.length === 0 ? <NothingFound isFiltered={Boolean(asked || tag)} add={() => open("new")} /> : null}
      {rows && rows.length > 0 ? (
        <ul className="memory-rows" aria-label="Memories">
          {rows.map((row) => (
            <MemoryRow key={row.node_id} row={row} isOpen={row.node_id === opened} isPicked={picked.has(row.node_id)} pick={pick} open={open} />
          ))}
        </ul>
      ) : null}
      {!asked && total !== undefined && total > PAGE ? (
        <nav className="memory-pages" aria-label="Pages">
          <button type="button" disabled={at === 0} onClick={() => turn(at - 1)}>
            Before
          </button>
          <span className="count">
            {at * PAGE + 1}–{Math.min(total, (at + 1) * PAGE)} of {total.toLocaleString("en")}
          </span>
          <button type="button" disabled={(at + 1) * PAGE >= total} onClick={() => turn(at + 1)}>
            Next
          </button>
        </nav>
      ) : null}
    </div>
  );
}

function sorted(found: Found | undefined, sort: string): Listed[] | undefined {
  const rows = found?.results.map(({ content, ...row }) => ({ ...row, preview: content.replace(/\s+/g, " ").slice(0, 160) }));
  if (sort === "important") rows?.sort((one, two) => two.importance - one.importance);
  else if (sort) rows?.sort((one, two) => (one.created_at < two.created_at ? 1 : -1));
  return rows;
}

interface RowProps {
  row: Listed;
  isOpen: boolean;
  isPicked: boolean;
  pick: (row: Listed, on: boolean) => void;
  open: (nodeId: string) => void;
}

function MemoryRow({ row, isOpen, isPicked, pick, open }: RowProps) {
  const now = useServerTime();
  return (
    <li aria-current={isOpen ? "true" : undefined}>
      <label className="memory-pick">
        <input type="checkbox" checked={isPicked} aria-label={`Choose ${row.name}`} onChange={(event) => pick(row, event.target.checked)} />
      </label>
      <div>
        <button type="button" className="link memory-name" onClick={() => open(row.node_id)}>
          {titleOf(row.name, row.preview)}
        </button>
        {restOf(row.name, row.preview) ? <p className="soft memory-preview-line">{restOf(row.name, row.preview)}</p> : null}
        <p className="memory-facts soft">
          <Importance value={row.importance} />
          <span>{ago(row.updated_at ?? row.created_at, now)}</span>
          {row.scope !== "default" ? <span>{row.scope}</span> : null}
          {row.weak ? <span>near in meaning</span> : null}
          <Tags tags={row.tags} />
        </p>
      </div>
    </li>
  );
}

function Merging({ ids, close, open }: { ids: string[]; close: () => void; open: (nodeId: string) => void }) {
  const shown = useShown(ids);
  const sources = ids.flatMap((id) => shown.get(id) ?? []);
  const finish = (mergedId: string) => {
    close();
    open(mergedId);
  };
  if (sources.length < ids.length) return null;
  return (
    <article className="memory-card" aria-label="Merge what is chosen">
      <SideBySide memories={sources} />
      <MergeForm sources={sources} done={finish}>
        <button type="button" onClick={close}>
          Leave them as they are
        </button>
      </MergeForm>
    </article>
  );
}

function TagField({ tag, topics, choose }: { tag: string; topics: string[]; choose: (tag: string) => void }) {
  const offered = tag && !topics.includes(tag) ? [tag, ...topics] : topics;
  if (offered.length === 0) return null;
  return (
    <select aria-label="Tag" value={tag} onChange={(event) => choose(event.target.value)}>
      <option value="">all tags</option>
      {offered.map((topic) => (
        <option key={topic}>{topic}</option>
      ))}
    </select>
  );
}

function NothingFound({ isFiltered, add }: { isFiltered: boolean; add: () => void }) {
  if (isFiltered) return <p className="memory-empty">No memory fits. Try fewer words, or another tag.</p>;
  return (
    <div className="memory-empty">
      <EmptyWeave />
      <h2>Nothing is remembered yet</h2>
      <p>
        Store what you and your agents should still know tomorrow; so does <code>lore memory add</code>.
      </p>
      <p className="memory-first">
        <button type="button" className="primary" onClick={add}>
          Write the first memory
        </button>
      </p>
    </div>
  );
}
