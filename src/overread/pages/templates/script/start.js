// ---- keys for everything
document.addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey || $("help").open) return;
  if (event.target.closest("input, select, textarea")) { if (event.key === "Escape") event.target.blur(); return; }
  const key = event.key;
  if (key >= "1" && key <= "5") return openTab(TABS[key - 1]);
  if (key === "?") return $("help").showModal();
  if (key === "c") return copied(location.href.split("#")[0] + address(), "Link");
  if (key === "/") { event.preventDefault(); if (state.tab !== "cases") openTab("cases"); return $("q").focus(); }
  if (state.tab !== "cases" || !book) return;
  if (key === "Escape") { pinned = null; $("case").querySelectorAll(".pinned").forEach((one) => one.classList.remove("pinned")); return point(null); }
  if (key === "ArrowRight" || key === "j") step(1);
  if (key === "ArrowLeft" || key === "k") step(-1);
  if (key === "s") { pinned = null; go({ active: systems[(systems.indexOf(activeSystem()) + 1) % systems.length] }); }
  if (key === "m") {
    const all = [...document.querySelectorAll("#case .lenses button")];
    const at = all.findIndex((one) => one.getAttribute("aria-pressed") === "true");
    if (all.length) all[(at + 1) % all.length].click();
  }
});
for (const tab of TABS) equip($(tab));
document.documentElement.classList.add("live");
followAddress();
(window.requestIdleCallback || setTimeout)(() => theBook());
addEventListener("beforeprint", () => document.documentElement.classList.add("printed"));
