import { useEffect, useMemo, useState } from "react";
import { call } from "../api";
import { useQueryField } from "../shell/useAddress";

interface Provenance {
  goal: string;
  tasks: { looks: { tool: string; at: string; skill: string | null }[] }[];
}

const OFTEN_MS = 3_000;
const NONE = new Map<string, number>();

/** Where a session of `?session=` has been among these skills: what its tasks opened, asked again while the page is looked at. */
export function useLiveRun(graph: string): { session: string; opened: Map<string, number>; words: string } {
  const [session] = useQueryField("session");
  const [reads, setReads] = useState<string[]>([]);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    setReads([]);
    if (!session) return;
    let timer = 0;
    let isOver = false;
    const ask = async () => {
      try {
        const answer = await call<Provenance>(`/${encodeURIComponent(session)}/provenance`, {}, "/api/sessions");
        if (isOver) return;
        const looks = answer.tasks.flatMap((task) => task.looks).filter(({ tool, skill }) => tool === "read_skill" && skill);
        const skills = looks.sort((one, other) => (one.at < other.at ? -1 : 1)).map(({ skill }) => skill!);
        setReads((last) => (last.length === skills.length ? last : skills));
        setTrouble("");
      } catch (failure) {
        if (!isOver) setTrouble(failure instanceof Error ? failure.message : "");
      }
      if (!isOver) timer = window.setTimeout(ask, OFTEN_MS);
    };
    void ask();
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [session, graph]);
  const opened = useMemo(() => {
    if (reads.length === 0) return NONE;
    const counts = new Map<string, number>();
    for (const skill of reads) counts.set(skill, (counts.get(skill) ?? 0) + 1);
    return counts;
  }, [reads]);
  if (!session) return { session, opened: NONE, words: "" };
  const words = reads.length === 0 ? "The session has opened no skill yet." : `The session went ${reads.join(" → ")}.`;
  return { session, opened, words: trouble || words };
}
