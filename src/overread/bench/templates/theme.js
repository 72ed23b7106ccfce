"use strict";
(() => {
  const names = ["Auto", "Light", "Dark"], button = document.getElementById("theme"), root = document.documentElement;
  let now = 0;
  button.addEventListener("click", () => {
    now = (now + 1) % 3;
    button.textContent = names[now];
    if (now) root.dataset.theme = names[now].toLowerCase(); else delete root.dataset.theme;
  });
})();
