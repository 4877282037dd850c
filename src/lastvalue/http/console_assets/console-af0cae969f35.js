var f1,Es,Bo,kt,Ho,D2,Ds,R2,As,jo,Uo,O3,Xn=Symbol.for("pv"),A2={},O2=[],L3=/^m(i|n|o|s|text|space)$/,Ko=Array.isArray,Go=O2.slice,Ht=Object.assign;function zt(e){e&&e.parentNode&&e.remove()}function Os(e,t,n){var o,r,i,l={},a=arguments.length;for(i in t)i=="key"?o=t[i]:i=="ref"&&typeof e!="function"?r=t[i]:l[i]=t[i];return a>2&&(l.children=a>3?Go.call(arguments,2):n),Zn(e,l,o,r,null)}function Zn(e,t,n,o,r){var i={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Xn,__v:r||++Es,__i:-1,__u:0};return!r&&f1.vnode&&f1.vnode(i),i}function I(e){return e.children}function xn(e,t){this.props=e,this.context=t,this.__g=0}function St(e,t){if(t==null)return e.__&&St(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:St(e)}function N3(e){var t,n=e.__v,o=n.__e,r=[],i=[],l=e.__P;l&&((t=Ht({constructor:Xn},n)).__v=n.__v+1,f1.vnode&&f1.vnode(t),Qo(l,t,n,e.__n,l.namespaceURI,32&n.__u?[o]:null,r,o||St(n),32&n.__u,i),t.__v=n.__v,t.__.__k[t.__i]=t,Vs(r,t,i),n.__=n.__e=null,t.__e!=o&&Ls(t))}function Ls(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Ls(e)}function Cs(e){(8&e.__g||(e.__g|=8,kt.push(e),D2++))&&Ho==f1.debounceRendering||((Ho=f1.debounceRendering)||queueMicrotask)(Ns)}function Ns(){try{for(var e,t=1;kt.length;)kt.length>t&&kt.sort(Ds),e=kt.shift(),t=kt.length,8&e.__g&&N3(e)}finally{(D2=kt.length)&&(Ho||queueMicrotask)(Ns)}}function $s(e,t,n,o,r,i,l,a,c,f,p){var h,b,g,w,k,S,C=o.__k||O2,y=t.length;for(c=$3(n,t,C,c,y),h=0;h<y;h++)(g=n.__k[h])!=null&&(b=~g.__i&&C[g.__i]||A2,g.__i=h,S=Qo(e,g,b,r,i,l,a,c,f,p),w=g.__e,(b.ref!=g.ref||8&b.__u)&&(b.ref&&Yo(b.ref,null,g,b),g.ref&&p.push(g.ref,g.__c||w,g)),k=k||w,4&g.__u?(c=Fs(g,c,e,!b.__v),b.__e&&(b.__e=null)):typeof g.type=="function"&&S!==void 0?c=S:w&&(c=w.nextSibling),g.__u&=-21);return n.__e=k,c}function $3(e,t,n,o,r){var i,l,a,c,f,p,h,b,g,w=n.length,k=w,S=0,C=0,y=e.__k=Array(r);for(i=0;i<r;i++)(l=t[i])!=null&&typeof l!="boolean"&&typeof l!="function"?(typeof l!="object"||l.constructor===String?l=y[i]=Zn(null,l):Ko(l)?l=y[i]=Zn(I,{children:l}):l.constructor===Xn&&l.__b?l=y[i]=Zn(l.type,l.props,l.key,l.ref,l.__v):y[i]=l,c=i+S,l.__=e,l.__b=e.__b+1,a=null,~(f=l.__i=F3(l,n,c,k))&&(k--,(a=n[f])&&(a.__u|=2)),a&&a.__v?(l.__u|=16,f==c-1?S--:f==c+1?S++:f!=c&&(f>c?S--:S++,C=1)):(~f||(r>w?S--:r<w&&S++),typeof l.type!="function"&&(l.__u|=4))):y[i]=null;if(C){for(p=[],h=[],i=0;i<r;i++)if((l=y[i])&&16&l.__u){for(S=0,b=p.length;S<b;)p[g=S+b>>1]<l.__i?S=g+1:b=g;p[S]=l.__i,h[i]=S+1}for(S=p.length;i--;)h[i]&&(h[i]==S?S--:y[i].__u|=4)}if(k)for(i=0;i<w;i++)!(a=n[i])||2&a.__u||(a.__e==o&&(o=St(a)),Jo(a,a));return o}function Fs(e,t,n,o){var r,i,l,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&(r[i].__=e,t=Fs(r[i],t,n,!1));return t}for(t&&!t.parentNode&&(t=St(e))&&!t.parentNode&&(t=null),l=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(l!=a&&(!o&&n.moveBefore&&l.parentNode?n.moveBefore(l,t):n.insertBefore(l,t||null)),t=l;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function F3(e,t,n,o){var r,i=e.key,l=e.type,a=t[n],c=a&&!(2&a.__u);if(a===null&&i==null||c&&i==a.key&&l==a.type)return n;if(o>(c?1:0)){for(r=n-1;r>=0;r--)if((a=t[r])&&!(2&a.__u)&&i==a.key&&l==a.type)return r;for(r=n+1;r<t.length;r++)if((a=t[r])&&!(2&a.__u)&&i==a.key&&l==a.type)return r}return-1}function Rs(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function C2(e,t,n,o,r){var i,l;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Rs(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Rs(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(l=Uo[t]||(Uo[t]=q3(t)),(e.__a||(e.__a={}))[t]=jo,i=t!=(t=t.replace(As,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,l,i):e.removeEventListener(t,l,i));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function q3(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[R2]==null)t[R2]=jo++;else if(t[R2]<this.__a[e])return;return n(f1.event?f1.event(t):t)}}}function Qo(e,t,n,o,r,i,l,a,c,f){var p,h,b,g,w,k,S,C,y,M,P,W,A,G,U,r1,K,D,Q=t.type;if(t.constructor!==Xn)return null;128&n.__u&&(c=32&n.__u,p=n.__c.__z)&&(t.__u|=c,h=i=[],p.nodeType==8?a=E2(p,i):i.push(p),a=i[0]||a),(p=f1.__b)&&p(t);e:if(typeof Q=="function"){b=l.length;try{if(C=t.props,y=(p=Q.prototype)&&p.render,M=(p=Q.contextType)&&o[p.__c],P=p?M?M.props.value:p.__:o,(g=n.__c)?(t.__c=g,2&g.__g&&(g.__g|=1)):(y?t.__c=g=new Q(C,P):(t.__c=g=new xn(C,P),g.constructor=Q,g.render=I3),M&&M.sub(g),g.state||(g.state={}),g.__n=o,g.__g|=8,g.__h=[],g.__k=[]),y&&(g.__s||(g.__s=g.state),Q.getDerivedStateFromProps&&(g.__s==g.state&&(g.__s=Ht({},g.__s)),Ht(g.__s,Q.getDerivedStateFromProps(C,g.__s)))),w=g.props,k=g.state,g.__v=t,n.__c){if(C!==w&&y&&!Q.getDerivedStateFromProps&&g.componentWillReceiveProps&&g.componentWillReceiveProps(C,P),t.__v==n.__v&&!(8&g.__g)||!(4&g.__g)&&g.shouldComponentUpdate&&g.shouldComponentUpdate(C,g.__s,P)===!1){t.__v!=n.__v&&(g.props=C,g.state=g.__s,g.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(L){L&&(L.__=t)}),O2.push.apply(g.__h,g.__k),g.__k=[],g.__h.length&&l.push(g),a=St(n);break e}g.componentWillUpdate&&g.componentWillUpdate(C,g.__s,P),y&&g.componentDidUpdate&&g.__h.push(function(){g.componentDidUpdate(w,k,S)})}else y&&!Q.getDerivedStateFromProps&&g.componentWillMount&&g.componentWillMount(),y&&g.componentDidMount&&g.__h.push(g.componentDidMount);g.context=P,g.props=C,g.__P=e,g.__g&=-5,W=f1.__r,A=y?25:0;do g.__g&=-9,W&&W(t),p=g.render(g.props,g.state=g.__s,g.context);while(8&g.__g&&++A<25);y&&(O2.push.apply(g.__h,g.__k),g.__k=[]),g.state=g.__s,g.getChildContext&&(o=Ht({},o,g.getChildContext())),y&&n.__c&&g.getSnapshotBeforeUpdate&&(S=g.getSnapshotBeforeUpdate(w,k)),G=p&&p.type===I&&p.key==null?p.props.children:p,C.__P&&(p=a,r=(e=C.__P).namespaceURI,c=i=null,n.props&&n.props.__P!=e&&(n.__k.some(function(L){L&&Jo(L,L)}),n.__k=null),a=n.__k?St(n,0):null),a=$s(e,Ko(G)?G:[G],t,n,o,r,i,l,a,c,f),C.__P&&(t.__e=null,a=p),t.__u&=-161,h&&h.some(zt),g.__h.length&&l.push(g),1&g.__g&&(g.__g&=-4)}catch(L){if(l.length=b,t.__v=null,c||i)if(L&&L.then){if(t.__u|=128|c,i){for(~(K=i.indexOf(a||void 0))||(K=i.length);(D=i[K-1])&&D.nodeType==8;)K--;for(;K<i.length;K++)if(D=i[K])if(i[K]=null,U){if(D==r1)break}else{if(D.nodeType!=8)break;D.data.startsWith("$s")&&(r1=E2(U=D))}}if(!U){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;U=a}(p=E2(U=t.__c.__z||(t.__c.__z=U)))?(t.__e=U,a=p):t.__e=a,a=a&&a.nextSibling}else i&&i.some(zt);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),L&&L.then||qs(t),f1.__e(L,t,n)}}else a=t.__e=V3(n.__e,t,n,o,r,i,l,c,f,e);return(p=f1.diffed)&&p(t),a}function E2(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function qs(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(qs))}function Vs(e,t,n){for(var o=0;o<n.length;)Yo(n[o++],n[o++],n[o++]);f1.__c&&f1.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(i){i.call(r)})}catch(i){f1.__e(i,r.__v)}})}function V3(e,t,n,o,r,i,l,a,c,f){var p,h,b,g,w,k,S,C,y=n.props||A2,M=t.props,P=t.type;if(P=="svg"?r="http://www.w3.org/2000/svg":P=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),i){for(p=0;p<i.length;p++)if((w=i[p])&&(P?w.localName==P:w.nodeType==3)){e=w,i[p]=null;break}}if(!e){if(C=f.ownerDocument||document,!P)return C.createTextNode(M);e=C.createElementNS(r,P,M.is?M:f),a&&(f1.__m&&f1.__m(t,i),a=!1),i=null}if(P){if(f=P=="template"&&e.content||e,i=P=="textarea"&&M.defaultValue!=null?null:i&&Go.call(f.childNodes),!a&&i)for(y={},p=0;p<e.attributes.length;p++)y[(w=e.attributes[p]).name]=w.value;for(p in y)w=y[p],p=="dangerouslySetInnerHTML"?b=w:p=="children"||p in M||p=="value"&&"defaultValue"in M||p=="checked"&&"defaultChecked"in M||C2(e,p,null,w,r);for(p in M)w=M[p],p=="children"?g=w:p=="dangerouslySetInnerHTML"?h=w:p=="value"?k=w:p=="checked"?S=w:a&&typeof w!="function"||y[p]===w||C2(e,p,w,y[p],r);h?(a||b&&(h.__html==b.__html||h.__html==e.innerHTML)||(e.innerHTML=h.__html),t.__k=[]):(b&&(e.textContent=""),(P=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&L3.test(P))&&(r="http://www.w3.org/1999/xhtml"),$s(f,Ko(g)?g:[g],t,n,o,r,i,l,i?i[0]:n.__k&&St(n,0),a,c),i&&i.some(zt)),a&&P!="textarea"||(p="value",P=="progress"&&k==null?e.removeAttribute(p):k==null||k===e[p]&&(P!="progress"||k)||C2(e,p,k,y[p],r),p="checked",S!=null&&S!=e[p]&&C2(e,p,S,y[p],r))}else y===M||a&&e.data==M||(e.data=M);return e}function Yo(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){f1.__e(r,n)}}function Jo(e,t,n){var o,r,i,l;if(f1.unmount&&f1.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||Yo(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){f1.__e(a,t)}o.__P=o.__n=null}if(o=e.__k)for(l=0;l<o.length;l++)o[l]&&Jo(o[l],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=E2(o,i=[]))&&(o==e.__e&&i.some(zt),zt(r),zt(o)),n||zt(e.__e),e.__e=e.__c=e.__=null}function I3(e,t,n){return this.constructor(e,n)}function Is(e,t){var n,o,r,i;f1.__&&f1.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=Zn(I,{children:[e]}),r=[],i=[],Qo(t,t.__k,o||A2,A2,t.namespaceURI,o?null:t.firstChild?Go.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,i),Vs(r,t.__k,i),t.__k.props.children=null}f1={__e:function(e,t,n,o){for(var r,i,l;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((l=(i=r.constructor)&&i.getDerivedStateFromError)&&r.setState(i.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),l=1),l&&8&r.__g)return void(r.__g|=2)}catch(a){e=a}}throw D2=0,e}},Es=0,Bo=function(e){return e!=null&&e.constructor===Xn},xn.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Ht({},this.state)),typeof e=="function"&&(e=e(Ht({},n),this.props)),e&&(Ht(n,e),this.__v&&(t&&this.__k.push(t),Cs(this)))},xn.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Cs(this))},xn.prototype.render=I,kt=[],D2=0,Ds=function(e,t){return e.__v.__b-t.__v.__b},R2=Symbol(),As=/(PointerCapture)$|Capture$/i,jo=0,Uo={},O3=0;var t2,he,Zo,Ws,W3=Object.is,Xo=0,Ys=[],er=[],B1=f1,zs=B1.__b,Hs=B1.__r,Us=B1.diffed,Bs=B1.__c,js=B1.unmount,Ks=B1.__;function nr(e,t){B1.__h&&B1.__h(he,e,Xo||t),Xo=0;var n=he.__H||(he.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function l1(e,t){var n=nr(t2++,3);!B1.__s&&Js(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,he.__H.__h.push(n))}function se(e){return Xo=5,y1(function(){return{current:e}},[])}function y1(e,t){var n=nr(t2++,7);return Js(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function L2(){var e=nr(t2++,11);if(!e.__){for(var t=he.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function z3(){var e;do{for(;e=er.shift();)try{e2(e)}catch(n){B1.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Ys.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(e2),t.__h.some(tr),t.__h=[]}catch(n){t.__h=[],B1.__e(n,e.__v)}}}while(er.length)}B1.__b=function(e){he=null,zs&&zs(e)},B1.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Ks&&Ks(e,t)},B1.__r=function(e){Hs&&Hs(e),t2=0;var t=(he=e.__c).__H;t&&(Zo==he?he.__h=[]:(t.__h.some(e2),t.__h.some(tr),t2=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Zo=he},B1.diffed=function(e){Us&&Us(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Qs(Ys.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Zo=he=null},B1.__c=function(e,t){t.some(function(n){try{n.__h.some(e2),n.__h=n.__h.filter(function(o){return!o.__||tr(o)})}catch(o){n.__h=[function(){throw o}]}}),Bs&&Bs(e,t)},B1.unmount=function(e){js&&js(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,Qs(er.push(r))}else e2(r)}catch(i){t=i}}),o.__H=void 0,t&&B1.__e(t,o.__v))};var Gs=typeof requestAnimationFrame=="function";function H3(e){var t,n=function(){clearTimeout(o),Gs&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Gs&&(t=requestAnimationFrame(n))}function Qs(e){e!=1&&Ws==B1.requestAnimationFrame||((Ws=B1.requestAnimationFrame)||H3)(z3)}function e2(e){var t=he,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),he=t}function tr(e){var t=he;e.__c=e.__(),he=t}function Js(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!W3(n,e[o])})}var U3=Symbol.for("preact-signals");function q2(){if(ct>1)ct--;else{var e,t=!1;for((function(){var r=$2;for($2=void 0;r!==void 0;){var i=r.S;if(i.v===r.v)for(var l=i.t;l!==void 0;l=l.x)l.i===r.i&&(l.i=i.i);r=r.o}})();o2!==void 0;){var n=o2;for(o2=void 0,N2++;n!==void 0;){var o=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Xs(n))try{n.c()}catch(r){t||(e=r,t=!0)}n=o}}if(N2=0,ct--,t)throw e}}function rr(e){if(ct>0)return e();or=++B3,ct++;try{return e()}finally{q2()}}var n2,q1=void 0;function r2(e){var t=q1,n=n2;q1=void 0,n2=void 0;try{return e()}finally{q1=t,n2=n}}var o2=void 0,ct=0,N2=0,B3=0,or=0,$2=void 0,F2=0;function Zs(e){if(q1!==void 0){var t=e.n;if(t===void 0||t.t!==q1)return t={i:0,S:e,p:q1.s,n:void 0,t:q1,e:void 0,x:void 0,r:t},q1.s!==void 0&&(q1.s.n=t),q1.s=t,e.n=t,32&q1.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=q1.s,t.n=void 0,q1.s.n=t,q1.s=t),t}}function Q1(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}Q1.prototype.brand=U3;Q1.prototype.h=function(){return!0};Q1.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:r2(function(){var o;(o=t.W)==null||o.call(t)}))};Q1.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,o=e.x;n!==void 0&&(n.x=o,e.e=void 0),o!==void 0&&(o.e=n,e.x=void 0),e===this.t&&(this.t=o,o===void 0&&r2(function(){var r;(r=t.Z)==null||r.call(t)}))}};Q1.prototype.subscribe=function(e){var t=this;return ft(function(){var n=t.value;r2(function(){return e(n)})},{name:"sub"})};Q1.prototype.valueOf=function(){return this.value};Q1.prototype.toString=function(){return this.value+""};Q1.prototype.toJSON=function(){return this.value};Q1.prototype.peek=function(){var e=this;return r2(function(){return e.value})};Object.defineProperty(Q1.prototype,"value",{get:function(){var e=Zs(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(N2>100)throw new Error("Cycle detected");(function(n){ct!==0&&N2===0&&n.l!==or&&(n.l=or,$2={S:n,v:n.v,i:n.i,o:$2})})(this),this.v=e,this.i++,F2++,ct++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{q2()}}}});function g1(e,t){return new Q1(e,t)}function Xs(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function ei(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function ti(e){for(var t=e.s,n=void 0;t!==void 0;){var o=t.p;t.i===-1?(t.S.U(t),o!==void 0&&(o.n=t.n),t.n!==void 0&&(t.n.p=o)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=o}e.s=n}function Ut(e,t){Q1.call(this,void 0,t),this.x=e,this.s=void 0,this.g=F2-1,this.f=4}Ut.prototype=new Q1;Ut.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===F2))return!0;if(this.g=F2,this.f|=1,this.i>0&&!Xs(this))return this.f&=-2,!0;var e=q1;try{ei(this),q1=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return q1=e,ti(this),this.f&=-2,!0};Ut.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}Q1.prototype.S.call(this,e)};Ut.prototype.U=function(e){if(this.t!==void 0&&(Q1.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};Ut.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(Ut.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Zs(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function Pt(e,t){return new Ut(e,t)}function ni(e){var t=e.j;if(e.j=void 0,typeof t=="function"){ct++;var n=q1;q1=void 0;try{t()}catch(o){throw e.f&=-2,e.f|=8,sr(e),o}finally{q1=n,q2()}}}function sr(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,ni(e)}function j3(e){if(q1!==this)throw new Error("Out-of-order effect");ti(this),q1=e,this.f&=-2;try{8&this.f&&sr(this)}finally{q2()}}function kn(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,n2&&n2.push(this)}kn.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};kn.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,ni(this),ei(this),ct++;var e=q1;return q1=this,j3.bind(this,e)};kn.prototype.N=function(){2&this.f||(this.f|=2,this.u=o2,o2=this)};kn.prototype.d=function(){this.f|=8,1&this.f||sr(this)};kn.prototype.dispose=function(){this.d()};function ft(e,t){var n=new kn(e,t);try{n.c()}catch(r){throw n.d(),r}var o=n.d.bind(n);return o[Symbol.dispose]=o,o}var oi,I2,V2,K3=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var ri=[];ft(function(){oi=this.N})();function Sn(e,t){f1[e]=t.bind(null,f1[e]||function(){})}function s2(e){if(V2){var t=V2;V2=void 0,t()}V2=e&&e.S()}function si(e){var t=this,n=e.data,o=$(n);o.name="ReactiveDom",o.value=n;var r=y1(function(){for(var a=t,c=t.__v;c=c.__;)if(c.__c){c.__c.__$f|=4;break}var f=Pt(function(){var g=o.value.value;return g===0?0:g===!0?"":g||""}),p=Pt(function(){return!Array.isArray(f.value)&&!Bo(f.value)}),h=ft(function(){if(this.N=ii,p.value){var g=f.value;a.__v&&a.__v.__e&&a.__v.__e.nodeType===3&&(a.__v.__e.data=g)}}),b=t.__$u.d;return t.__$u.d=function(){h(),b.call(this)},[p,f]},[]),i=r[0],l=r[1];return i.value?l.peek():l.value}si.displayName="ReactiveTextNode";Object.defineProperties(Q1.prototype,{constructor:{configurable:!0,value:Os(I,null).constructor},type:{configurable:!0,value:si},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});Sn("__b",function(e,t){if(s2(),I2=void 0,typeof t.type=="string"){var n,o=t.props;for(var r in o)if(r!=="children"){var i=o[r];i instanceof Q1&&(n||(t.__np=n={}),n[r]=i,o[r]=i.peek())}}e(t)});Sn("__r",function(e,t){if(e(t),t.type!==I){s2();var n,o=t.__c;o&&(o.__$f&=-2,(n=o.__$u)===void 0&&(o.__$u=n=(function(r,i){var l;return ft(function(){l=this},{name:i}),l.c=r,l})((function(r){return function(){var i;K3&&((i=this.y)==null||i.call(this)),r.__$f|=1,r.setState({})}})(o),typeof t.type=="function"?t.type.displayName||t.type.name:""))),I2=o,s2(n)}});Sn("__e",function(e,t,n,o){s2(),I2=void 0,e(t,n,o)});Sn("diffed",function(e,t){s2(),I2=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var o=t.__np,r=t.props,i=n.U;if(i)for(var l in i){var a=i[l];a===void 0||o&&l in o||(a.d(),i[l]=void 0)}if(o){i||(i={},n.U=i);for(var c in o){var f=i[c],p=o[c];f===void 0?(f=G3(n,c,p,r),i[c]=f):f.o(p,r)}}}e(t)});function G3(e,t,n,o){var r=t in e&&e.ownerSVGElement===void 0,i=g1(n);return{o:function(l,a){i.value=l,o=a},d:ft(function(){this.N=ii;var l=i.value.value;o[t]!==l&&(o[t]=l,r?e[t]=l:l!=null&&(l!==!1||t[4]==="-")?e.setAttribute(t,l):e.removeAttribute(t))})}}Sn("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var o=n.U;if(o){n.U=void 0;for(var r in o){var i=o[r];i&&i.d()}}}var l=t.__np;if(l){var a=t.props;for(var c in l)a[c]=l[c]}t.__np=void 0}else{var f=t.__c;if(f){f.__$f|=8;var p=f.__$u;p&&(f.__$u=void 0,p.d())}}e(t)});Sn("__h",function(e,t,n,o){o<3&&(t.__$f|=2),e(t,n,o)});xn.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,o=n&&n.s!==void 0;for(var r in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var i=2&this.__$f;if(!(o||i||4&this.__$f)||1&this.__$f)return!0}else if(!(o||4&this.__$f)||3&this.__$f)return!0;for(var l in e)if(l!=="__source"&&e[l]!==this.props[l])return!0;for(var a in this.props)if(!(a in e))return!0;return!1};function $(e,t){return y1(function(){return g1(e,t)},[])}var Q3=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Y3(){rr(function(){for(var e;e=ri.shift();)oi.call(e)})}function ii(){ri.push(this)===1&&(f1.requestAnimationFrame||Q3)(Y3)}var z1=class extends Error{constructor(n,o,r=new Map){super(o);this.status=n;this.detail=o;this.fields=r;this.name="Problem"}status;detail;fields;get isUnreachable(){return this.status===0||this.status===502||this.status===503||this.status===504}},i2=g1(!0),Pn=g1(!1),W2={headers:{}},J3=location.pathname.replace(/console\/[^/]*$/,"");async function ir(e,t={}){let n=t.method??"GET",o={...n==="GET"?{}:W2.headers,...t.headers};t.body!==void 0&&(o["Content-Type"]="application/json");let r;try{r=await fetch(J3+e.slice(1),{method:n,headers:o,body:t.body===void 0?null:JSON.stringify(t.body),signal:t.signal??null,cache:"no-store",credentials:"same-origin"})}catch(l){throw t.signal?.aborted?l:(i2.value=!1,new z1(0,"the gateway does not answer"))}if(r.ok||r.status===304)return i2.value=!0,r;let i=await Z3(r);throw i2.value=!i.isUnreachable,i.status===401&&(Pn.value=!0),i}async function n1(e,t={}){let n=await ir(e,t);return n.status===204?void 0:await n.json()}function Y(e,t={}){let n=new URLSearchParams;for(let[r,i]of Object.entries(t))i!=null&&i!==""&&n.append(r,String(i));let o=`/${e.map(encodeURIComponent).join("/")}`;return n.size?`${o}?${n}`:o}function ge(e){return e instanceof Error?e.message:String(e)}async function Z3(e){let t=`${e.status} ${e.statusText}`.trim();try{let n=await e.json(),o=new Map((n.errors??[]).map(r=>[r.field,r.fault]));return new z1(e.status,n.detail??t,o)}catch{return new z1(e.status,t)}}var X3=Symbol.for("pv"),e0=0;function s(e,t,n,o,r,i){t||(t={});var l,a,c=t;if("ref"in c&&typeof e!="function")for(a in c={},t)a=="ref"?l=t[a]:c[a]=t[a];var f={type:e,props:c,key:n,ref:l,__k:null,__:null,__b:0,__e:null,__c:null,constructor:X3,__v:--e0,__i:-1,__u:0};return(r||i)&&(f.__source=r,f.__self=i),f1.vnode&&f1.vnode(f),f}var t0={left:"M10 3 5 8l5 5",right:"m6 3 5 5-5 5",sun:"M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",moon:"M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z",pin:"M6 2h4l-.5 5 2.5 2.5H4L6.500 7 6 2ZM8 9.500V14",leave:"M6 3H3v10h3M7 8h6M10.500 5 13.500 8l-3 3",menu:"M2 4h12M2 8h12M2 12h12"};function dt({name:e}){return s("svg",{class:"icon",viewBox:"0 0 16 16",width:"16",height:"16","aria-hidden":"true",focusable:"false",children:s("path",{d:t0[e],fill:"none",stroke:"currentColor","stroke-width":"1.5","stroke-linecap":"round","stroke-linejoin":"round"})})}function T1(){return s("p",{class:"notice",children:"Asking the broker …"})}function o1({problem:e}){let t=e.status===403?"Not allowed":e.status===404?"Not found":"No answer";return s("div",{class:"notice",role:"alert",children:[s("strong",{children:t}),s("p",{children:e.detail})]})}var l2=g1([]),n0=5e3,o0=12e3,r0=0;function P1(e){ai(e,!1)}function Bt(e){ai(ge(e),!0)}async function z2(e,t){try{await t()}catch(n){return Bt(n),!1}return P1(e),!0}function li(){return s("div",{class:"toasts",role:"status","aria-live":"polite",children:l2.value.map(({id:e,text:t,isError:n})=>s("div",{class:n?"toast error":"toast",children:[s("span",{children:t}),s("button",{type:"button",class:"plain","aria-label":"Dismiss",onClick:()=>ui(e),children:"×"})]},e))})}function ai(e,t){let n=++r0;l2.value=[...l2.value.slice(-3),{id:n,text:e,isError:t}],setTimeout(ui,t?o0:n0,n)}function ui(e){l2.value=l2.value.filter(t=>t.id!==e)}function Tt({title:e,onClose:t,isDrawer:n=!1,children:o}){let r=se(null),i=L2();return l1(()=>{r.current?.showModal()},[]),s("dialog",{ref:r,class:n?"drawer":"dialog","aria-labelledby":i,onClose:t,onClick:l=>l.target===r.current&&r.current?.close(),children:s("div",{class:"dialog-content",children:[s("header",{children:[s("h2",{id:i,children:e}),s("button",{type:"button",class:"plain","aria-label":"Close",onClick:()=>r.current?.close(),children:"×"})]}),o]})})}function ot({fields:e,action:t,isDangerous:n=!1,onSubmit:o}){let r=$(new Map),i=$(""),l=$(!1),a=L2();return s("form",{class:"form",onSubmit:async f=>{f.preventDefault();let p=i0(e,f.currentTarget);if(r.value=p.faults,i.value="",!p.faults.size){l.value=!0;try{await o(p.answers)}catch(h){h instanceof z1&&(r.value=h.fields),i.value=ge(h)}finally{l.value=!1}}},noValidate:!0,children:[e.map(f=>s(s0,{field:f,id:`${a}-${f.name}`,fault:r.value.get(f.name)},f.name)),i.value&&s("p",{class:"fault",role:"alert",children:i.value}),s("div",{class:"form-actions",children:s("button",{type:"submit",class:n?"danger":"primary",disabled:l.value,children:t})})]})}function M1({title:e,text:t,onClose:n,onSubmit:o,...r}){return s(Tt,{title:e,onClose:n,children:[t&&s("p",{children:t}),s(ot,{...r,onSubmit:async i=>{await o(i),n()}})]})}function s0({field:e,id:t,fault:n}){let{name:o,label:r,kind:i="text",help:l,value:a,isRequired:c,isReadOnly:f}=e,p=[l&&`${t}-help`,n&&`${t}-fault`].filter(Boolean).join(" "),h={id:t,name:o,required:c??!1,"aria-invalid":n!==void 0,...p?{"aria-describedby":p}:{}},b=typeof a=="string"?a:"",g={autocomplete:e.autocomplete??"off",readOnly:f??!1,defaultValue:b};return s("div",{class:i==="checkbox"?"field checkbox":"field",children:[s("label",{for:t,children:r}),i==="choice"?s("select",{...h,value:b,children:(e.choices??[]).map(w=>s("option",{value:w,selected:w===b,children:w},w))}):i==="lines"||i==="json"?s("textarea",{...h,rows:i==="json"?8:4,spellcheck:!1,readOnly:f,defaultValue:b}):i==="password"?s("input",{...h,type:"password",...g}):i==="checkbox"?s("input",{...h,type:"checkbox",defaultChecked:a===!0}):s("input",{...h,type:"text",inputMode:i==="number"?"decimal":"text",...g}),l&&s("small",{id:`${t}-help`,class:"help",children:l}),n&&s("small",{id:`${t}-fault`,class:"fault",children:n})]})}function i0(e,t){let n={},o=new Map;for(let{name:r,kind:i="text",isRequired:l}of e){let a=t.elements.namedItem(r);if(i==="checkbox"){n[r]=a.checked;continue}let c=i==="password"||i==="lines"?a.value:a.value.trim();if(c===""){l&&o.set(r,"this is needed");continue}try{n[r]=i==="number"?l0(c):i==="json"?JSON.parse(c):c}catch(f){o.set(r,ge(f))}}return{answers:n,faults:o}}function l0(e){let t=Number(e);if(!Number.isFinite(t))throw new Error(`${e} is no number`);return t}var Tn=g1(void 0);async function ci(){di(await n1("/session"))}async function lr(e){di(await n1("/session",{method:"POST",body:e}))}async function fi(){await n1("/session",{method:"DELETE"}),W2.headers={},Tn.value=void 0,Pn.value=!0}function di(e){W2.headers=e.csrf_token?{[e.csrf_header]:e.csrf_token}:{},Tn.value=e.user,Pn.value=!1}function pi(){let e=$(!1);return s("main",{class:"login",children:[s("h1",{children:"lastvalue"}),e.value?s(ot,{action:"Log in",fields:[{name:"token",label:"Token",kind:"password",isRequired:!0}],onSubmit:({token:t})=>lr({token:t})},"token"):s(ot,{action:"Log in",fields:[{name:"user",label:"User",isRequired:!0,autocomplete:"username"},{name:"password",label:"Password",kind:"password",isRequired:!0,autocomplete:"current-password"}],onSubmit:({user:t,password:n})=>lr({user:t,password:n})},"password"),s("button",{type:"button",class:"plain muted",onClick:()=>e.value=!e.value,children:e.value?"Log in with a password":"Log in with a token"})]})}function _1(e){let{caption:t,columns:n,rows:o,rowKey:r,rowLink:i,sort:l="",onSort:a,empty:c="Nothing is here."}=e;return s("div",{class:"table-frame",tabIndex:0,role:"region","aria-label":t,children:s("table",{children:[s("caption",{class:"unseen",children:t}),s("thead",{children:s("tr",{children:n.map(f=>s(a0,{column:f,sort:l,onSort:a},f.name))})}),s("tbody",{children:[o.map(f=>s("tr",{children:n.map((p,h)=>s("td",{class:p.isNumeric?"number":void 0,children:h===0&&i?s("a",{href:i(f),children:p.cell(f)}):p.cell(f)},p.name))},r(f))),o.length===0&&s("tr",{children:s("td",{class:"empty",colSpan:n.length,children:c})})]})]})})}function a0({column:e,sort:t,onSort:n}){let{name:o,title:r,isNumeric:i,isSortable:l,help:a}=e,c=t===o,f=t===`-${o}`,p=c?"ascending":f?"descending":"none",h=c||i&&!f?`-${o}`:o;return s("th",{scope:"col",class:i?"number":void 0,"aria-sort":l?p:void 0,title:a,children:l&&n?s("button",{type:"button",class:"plain",onClick:()=>n(h),children:[r,s("span",{class:"order","aria-hidden":"true",children:c?"▲":f?"▼":""})]}):r||s("span",{class:"unseen",children:o})})}function H2({offset:e,rows:t,total:n,onPrevious:o,onNext:r}){return s("nav",{class:"pager","aria-label":"Pages",children:[s("button",{type:"button",onClick:o,disabled:!o,"aria-label":"Previous page",children:s(dt,{name:"left"})}),s("span",{children:[t?`${e+1}–${e+t}`:"0",n===void 0?"":` of ${n.toLocaleString("en")}`]}),s("button",{type:"button",onClick:r,disabled:!r,"aria-label":"Next page",children:s(dt,{name:"right"})})]})}var hi=new Intl.NumberFormat("en",{maximumFractionDigits:0}),dc=new Intl.NumberFormat("en",{notation:"compact",maximumSignificantDigits:3}),mi=["B","KiB","MiB","GiB","TiB"],U2="–";function V(e){return e===void 0?U2:hi.format(e)}function ue(e){return e===void 0?U2:`${e>0&&e<10?e.toFixed(1):hi.format(e)}/s`}function ve(e){if(e===void 0)return U2;let t=0,n=e;for(;n>=1024&&t<mi.length-1;t++)n/=1024;return`${t===0||n>=100?Math.round(n):n.toFixed(1)} ${mi[t]}`}function H1(e){if(e===void 0)return U2;if(e<1e3)return`${Math.max(0,Math.round(e))} ms`;let t=e/1e3;if(t<60)return`${t.toFixed(t<10?1:0)} s`;let n=Math.floor(t/60);if(n<60)return`${n} min ${Math.floor(t%60)} s`;let o=Math.floor(n/60);return o<48?`${o} h ${n%60} min`:`${Math.floor(o/24)} d ${o%24} h`}function Ve(e){return new Date(e-new Date(e).getTimezoneOffset()*6e4).toISOString().slice(0,23).replace("T"," ")}function Z(e){return e===void 0?"":typeof e=="string"?e:JSON.stringify(e)}function a1(e,t=2e3){let n=y1(()=>({data:g1(),problem:g1(null),now:()=>{}}),[]);return l1(()=>{if(e===null)return;let o=new AbortController,r=0,i=!1,l=async()=>{if(clearTimeout(r),i)return;i=!0;let c=performance.now();try{if(!document.hidden){let f=await n1(e,{signal:o.signal});if(o.signal.aborted)return;n.data.value=f,n.problem.value=null}}catch(f){if(o.signal.aborted)return;n.problem.value=f instanceof z1?f:new z1(0,String(f))}finally{i=!1}r=window.setTimeout(l,Math.max(t,4*(performance.now()-c)))},a=()=>{document.hidden||l()};return n.now=()=>{l()},document.addEventListener("visibilitychange",a),l(),()=>{o.abort(),clearTimeout(r),document.removeEventListener("visibilitychange",a)}},[e,t]),y1(()=>({data:n.data,problem:n.problem,refresh:()=>n.now()}),[])}function u0(){let{data:e,problem:t,refresh:n}=a1("/cluster"),o=$(!1),r=e.value;if(!r)return t.value?s(o1,{problem:t.value}):s(T1,{});let i=r.role==="leader",l=[["This broker is",i?"the leader":"a follower"],["Leader",r.leader||"not known yet"],["Term",V(r.term)]];return i||l.push(["Behind",H1(r.lag_ms??0)],["Records to apply",V(r.lag_records??0)]),s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Cluster"}),i&&s("div",{class:"actions",children:s("button",{type:"button",onClick:()=>o.value=!0,children:"Step down"})})]}),t.value&&s(o1,{problem:t.value}),s("dl",{class:"figures",children:l.map(([a,c])=>s("div",{class:"figure",children:[s("dt",{children:a}),s("dd",{children:c})]},a))}),i&&s(_1,{caption:"Followers",columns:[{name:"address",title:"Address",cell:a=>a.address},{name:"process",title:"Process",cell:a=>a.process},{name:"records_unsent",title:"Records behind",isNumeric:!0,cell:a=>V(a.records_unsent)}],rows:r.followers??[],rowKey:a=>a.process,empty:"No broker follows this one: nobody would take over."}),o.value&&s(M1,{title:"Step down?",text:"A follower leads at once, and this broker ends; its service manager starts it again. Clients go to the new leader.",action:"Hand over",isDangerous:!0,fields:[{name:"alone",label:"Also where no broker follows",kind:"checkbox",help:"Nobody leads then until a broker is started."}],onClose:()=>o.value=!1,onSubmit:async a=>{await n1("/cluster/step-down",{method:"POST",body:a}),P1("the broker hands over and ends"),n()}})]})}var gi={path:"cluster",title:"Cluster",inNavigation:!0,view:u0};var c0={add:"tag on",change:"tag on","cannot change":"tag bad",fault:"tag bad"};function f0(){let e=$(null),t=$(null),n=$(!1),o=$(!1),r=c=>n1("/configuration",{method:"POST",body:{dry_run:c,prune:n.value}}),i=async()=>{try{e.value=(await r(!0)).changes,t.value=null}catch(c){t.value=c instanceof z1?c:new z1(0,ge(c))}};l1(()=>{i()},[]);let l=e.value,a=l?.filter(c=>["add","change"].includes(c.verdict)||n.value&&c.verdict==="only in the broker")??[];return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Configuration"}),s("div",{class:"actions",children:[s("button",{type:"button",onClick:i,children:"Compare again"}),s("button",{type:"button",class:"primary",disabled:!a.length,onClick:()=>o.value=!0,children:"Apply the file"})]})]}),s("p",{class:"muted",children:["What differs between the running broker and its file. Nothing changes until the file is applied."," ",s("label",{children:[s("input",{type:"checkbox",checked:n.value,onChange:c=>n.value=c.currentTarget.checked})," remove what only the broker has"]})]}),t.value?s(o1,{problem:t.value}):l?s(_1,{caption:"What differs",columns:[{name:"verdict",title:"Verdict",cell:({verdict:c,done:f})=>s("span",{class:c0[c]??"tag",children:f?"done":c})},{name:"line",title:"Difference",cell:c=>c.line}],rows:l,rowKey:c=>c.line,empty:"The broker is what its file asks for."}):s(T1,{}),o.value&&s(M1,{title:`Apply ${a.length} ${a.length===1?"change":"changes"}?`,text:n.value?"Queues that only the broker has are deleted with their messages.":"Each change happens wholly or not at all.",action:"Apply",isDangerous:n.value,fields:[],onClose:()=>o.value=!1,onSubmit:async()=>{e.value=(await r(!1)).changes,P1(`${e.value.filter(c=>c.done).length} changes were applied`)}})]})}var vi={path:"configuration",title:"Configuration",inNavigation:!0,view:f0};function bi({label:e,tabs:t,current:n,hrefOf:o}){return s("nav",{class:"segments","aria-label":e,children:t.map(r=>s("a",{href:o(r),"aria-current":r===n?"page":void 0,children:r},r))})}var yi=g1(location.hash);addEventListener("hashchange",()=>yi.value=location.hash);var a2=Pt(()=>{let[e="",t=""]=yi.value.replace(/^#\/?/,"").split("?",2);return{segments:e.split("/").filter(Boolean).map(d0),query:new URLSearchParams(t)}});function x1(e,t={}){let n=new URLSearchParams(Object.entries(t).filter(([,r])=>r!=="")),o=`#/${e.map(encodeURIComponent).join("/")}`;return n.size?`${o}?${n}`:o}function be(e,t={}){location.hash=x1(e,t)}function _i(e,t){let n=e.split("/").filter(Boolean);if(n.length!==t.length)return null;let o={};for(let[r,i]of n.entries()){let l=t[r]??"";if(i.startsWith(":"))o[i.slice(1)]=l;else if(i!==l)return null}return o}function d0(e){try{return decodeURIComponent(e)}catch{return e}}var wi=["connections","sessions","consumers","producers"];function p0({query:e}){let t=wi.find(p=>p===e.get("show"))??"connections",n=e.get("contains")??"",o=e.get("sort")??"name",r=$(null),{data:i,problem:l,refresh:a}=a1(Y(["peers",t])),c=(i.value?.[t]??[]).filter(p=>Object.values(p).join(" ").includes(n)),f=Date.now();return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Connections"}),s(bi,{label:"Kinds of peers",tabs:wi,current:t,hrefOf:p=>x1(["connections"],{show:p})})]}),s("div",{class:"tools",children:[s("input",{type:"search","aria-label":"Search",placeholder:"Search",value:n,onInput:p=>be(["connections"],{show:t,sort:o,contains:p.currentTarget.value})}),s("span",{class:"muted",children:V(c.length)})]}),l.value&&s(o1,{problem:l.value}),i.value?.[t]?s(_1,{caption:t,columns:g0(t,f,p=>r.value=p),rows:b0(c,o),rowKey:p=>`${p.connection} ${p.session} ${p.name} ${p.role}`,sort:o,onSort:p=>be(["connections"],{show:t,sort:p,contains:n}),empty:`There are no ${t} that you may see.`}):!l.value&&s(T1,{}),r.value!==null&&s(M1,{title:`Close ${r.value.name}?`,text:r.value.text,action:r.value.action,isDangerous:!0,fields:[],onClose:()=>r.value=null,onSubmit:async()=>{r.value!==null&&(await n1(r.value.address,{method:"DELETE"}),P1(`closed ${r.value.name}`),a())}})]})}function m0(e){return{name:e,address:Y(["peers","connections",e]),action:"Close the connection",text:"Its peer is told, and may connect again. Messages that it has not settled go back to their queues."}}function h0(e){let t=String(e.name),n={connection:String(e.connection),session:String(e.session)};return{name:t,address:Y(["peers","consumers",t],n),action:"Close the consumer",text:`Its connection ${n.connection} stays, and may subscribe again; over AMQP 0-10 its peer cannot be told. Messages that it has not settled go back to ${e.node}.`}}function g0(e,t,n){let o=(w,k)=>({name:w,title:k,isSortable:!0,cell:S=>String(S[w]??"")}),r=(w,k,S=V)=>({...o(w,k),isNumeric:!0,cell:C=>S(Number(C[w]))}),i=w=>({name:"close",title:"Action",cell:k=>{let S=w(k);return s("button",{type:"button",class:"danger",onClick:()=>n(S),"aria-label":`Close ${S.name}`,title:S.action,children:"Close"})}}),l=i(w=>m0(String(w[e==="connections"?"name":"connection"]))),a=(w,k)=>r(w,k,S=>S?H1(t-(S??0)):"–");if(e==="connections")return[o("name","Connection"),o("user","User"),o("protocol","Protocol"),o("program","Program"),r("sessions","Sessions"),r("received","Published"),r("delivered","Delivered"),r("bytes_in","In",ve),r("bytes_out","Out",ve),a("since_ms","Since"),l];if(e==="sessions")return[o("name","Session"),o("connection","Connection"),r("channel","Channel"),r("links","Links"),r("unsettled","Unsettled"),l];let c={...o("node",e==="consumers"?"Reads":"Publishes to"),cell:w=>e==="consumers"?s("a",{href:x1(["queues",String(w.node)]),children:w.node}):w.node||"by message"},f={...o("waits_for","Waits for"),cell:w=>w.waits_for?s("span",{class:v0(w)?"tag":"tag warn",children:w.waits_for}):""},p=a("waits_since_ms","For"),h=[f,p,o("user","User"),o("connection","Connection"),e==="consumers"?i(h0):l];if(e==="producers")return[c,r("received","Published"),r("refused","Refused"),a("last_ms","Last"),...h];let b={name:"browses",title:"Mode",cell:w=>w.browses?"browses":"consumes"},g=r("credit","Credit",w=>w===-1?"any":V(w));return[c,b,r("delivered","Delivered"),r("unsettled","Unsettled"),g,a("last_ms","Last"),...h]}function v0(e){return e.waits_for==="empty"||!e.waits_since_ms}function b0(e,t){let[n,o]=t.startsWith("-")?[t.slice(1),-1]:[t,1];return[...e].sort((r,i)=>{let[l,a]=[r[n]??"",i[n]??""];return o*(typeof l=="number"&&typeof a=="number"?l-a:String(l).localeCompare(String(a)))})}var xi={path:"connections",title:"Connections",inNavigation:!0,view:p0};var y0=["direct","topic","fanout","headers","address"],_0=100;function w0({query:e}){let[t,n]=[e.get("after")??"",e.get("contains")??""],o=Y(["exchanges"],{after:t,contains:n,limit:_0}),{data:r,problem:i,refresh:l}=a1(o),a=$(!1),c=r.value?.exchanges??[];return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Exchanges"}),s("div",{class:"actions",children:s("button",{type:"button",class:"primary",onClick:()=>a.value=!0,children:"Add an exchange"})})]}),s("div",{class:"tools",children:s("input",{type:"search","aria-label":"Search exchanges",placeholder:"Search",value:n,onInput:f=>be(["exchanges"],{contains:f.currentTarget.value})})}),i.value&&s(o1,{problem:i.value}),r.value?s(_1,{caption:"Exchanges",columns:[{name:"name",title:"Exchange",cell:f=>f.name},{name:"type",title:"Type",cell:f=>s("span",{class:"tag",children:f.type})},{name:"bindings",title:"Bindings",isNumeric:!0,cell:f=>V(f.bindings.length)},{name:"received",title:"Received",isNumeric:!0,cell:f=>V(f.received)},{name:"unrouted",title:"No queue",isNumeric:!0,cell:f=>V(f.unrouted),help:"Messages that no queue got"},{name:"options",title:"Options",cell:({options:f})=>ki(f)}],rows:c,rowKey:f=>f.name,rowLink:f=>x1(["exchanges",f.name]),empty:"There are no exchanges that you may see."}):!i.value&&s(T1,{}),r.value?.next&&s("a",{href:x1(["exchanges"],{contains:n,after:c.at(-1)?.name??""}),children:"Next page"}),a.value&&s(M1,{title:"Add an exchange",action:"Add",fields:[{name:"name",label:"Name",isRequired:!0},{name:"type",label:"Type",kind:"choice",choices:y0,value:"topic"},{name:"alternate",label:"Alternate",help:"The exchange or queue that gets what no queue gets."},{name:"durable",label:"Durable",kind:"checkbox",value:!0,help:"It survives a restart."}],onClose:()=>a.value=!1,onSubmit:async({name:f,...p})=>{await n1(Y(["exchanges",String(f)]),{method:"PUT",body:p}),P1(`added exchange ${f}`),l()}})]})}function ki(e){return Object.entries(e).filter(([t])=>t!=="type").map(([t,n])=>n===!0?t:`${t} ${Z(n)}`).join(", ")}function x0({parameters:e}){let t=e.exchange??"",{data:n,problem:o,refresh:r}=a1(Y(["exchanges"],{contains:t,limit:1e3}),4e3),i=$(""),l=n.value?.exchanges.find(c=>c.name===t);if(!n.value)return o.value?s(o1,{problem:o.value}):s(T1,{});if(!l)return s("p",{class:"notice",role:"alert",children:["There is no exchange ",t," that you may see."]});let a=({destination:c,key:f})=>z2(`unbound ${c}`,()=>n1(Y(["exchanges",t,"bindings"],{destination:c,key:f}),{method:"DELETE"}));return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:t}),s("span",{class:"tag",children:l.type}),s("span",{class:"muted",children:ki(l.options)}),s("div",{class:"actions",children:[s("button",{type:"button",onClick:()=>i.value="bind",children:"Bind"}),!t.startsWith("amq.")&&s("button",{type:"button",class:"danger",onClick:()=>i.value="delete",children:"Delete"})]})]}),s("section",{class:"card route","aria-labelledby":"route-heading",children:[s("h2",{id:"route-heading",children:"Where would this message go?"}),s(k0,{exchange:t})]}),s(_1,{caption:`Bindings of ${t}`,columns:[{name:"destination",title:"Destination",cell:c=>s("a",{href:x1(["queues",c.destination]),children:c.destination})},{name:"key",title:"Key",cell:c=>s("code",{children:c.key})},{name:"arguments",title:"Arguments",cell:c=>s("code",{children:Object.keys(c.arguments).length?Z(c.arguments):""})},{name:"unbind",title:"Action",cell:c=>s("button",{type:"button",class:"danger","aria-label":`Unbind ${c.destination} ${c.key}`,onClick:async()=>await a(c)&&r(),children:"Unbind"})}],rows:l.bindings,rowKey:c=>`${c.destination} ${c.key}`,empty:"Nothing is bound to it."}),i.value==="bind"&&s(M1,{title:`Bind to ${t}`,action:"Bind",fields:[{name:"destination",label:"Queue or exchange",isRequired:!0},{name:"key",label:"Key",help:"The routing key, or a topic's pattern."},{name:"arguments",label:"Arguments",kind:"json",help:'As JSON, such as {"x-filter-jms-selector": "size > 3"}.'}],onClose:()=>i.value="",onSubmit:async c=>{await n1(Y(["exchanges",t,"bindings"]),{method:"POST",body:c}),P1(`bound ${c.destination}`),r()}}),i.value==="delete"&&s(M1,{title:`Delete exchange ${t}?`,text:"Its bindings go with it; the queues stay.",action:"Delete the exchange",isDangerous:!0,fields:[],onClose:()=>i.value="",onSubmit:async()=>{await n1(Y(["exchanges",t]),{method:"DELETE"}),be(["exchanges"])}})]})}function k0({exchange:e}){let t=$(null);return s(I,{children:[s(ot,{action:"Explain",fields:[{name:"key",label:"Routing key or subject"},{name:"properties",label:"Properties",kind:"json",help:'As JSON, such as {"size": 5}.'}],onSubmit:async n=>{t.value=null,t.value=await n1(Y(["exchanges",e,"route"]),{method:"POST",body:n})}}),t.value&&s("div",{class:"answer",role:"status",children:[s("p",{children:[t.value.queues.length?"It would go to ":"No queue would get it.",t.value.queues.map(n=>s("a",{class:"tag on",href:x1(["queues",n]),children:n},n))]}),s(_1,{caption:"Why",columns:[{name:"gets",title:"Gets it",cell:n=>s("span",{class:n.gets?"tag on":"tag",children:n.gets?"yes":"no"})},{name:"exchange",title:"From",cell:n=>n.exchange},{name:"destination",title:"To",cell:n=>n.to==="nothing"?"nothing":`${n.to} ${n.destination}`},{name:"key",title:"Key",cell:n=>s("code",{children:n.key})},{name:"reason",title:"Because",cell:n=>n.reason}],rows:t.value.bindings,rowKey:n=>`${n.exchange} ${n.to} ${n.destination} ${n.key}`})]})]})}var Si={path:"exchanges",title:"Exchanges",inNavigation:!0,view:w0},Pi={path:"exchanges/:exchange",title:"Exchange",inNavigation:!1,view:x0};var S0=["debug","info","warning","error","critical"],Ti=500,P0=new Set(["number","timestamp","level","component","event","message"]),T0={warning:"tag warn",error:"tag bad",critical:"tag bad"};function M0({query:e}){let[t,n]=[e.get("level")??"info",e.get("event")??""],o=$([]),r=$(null),i=$(!0);l1(()=>{if(r.value=null,!i.value)return;let a=new EventSource(Y(["log","follow"],{level:t,event:n,limit:Ti}));a.addEventListener("open",()=>o.value=[]);let c=[],f=0;return a.addEventListener("line",p=>{c.push(JSON.parse(p.data)),f||=requestAnimationFrame(()=>{o.value=[...o.value,...c].slice(-Ti),[c,f]=[[],0]})}),a.addEventListener("error",async()=>{if(a.readyState===EventSource.CLOSED)try{await n1(Y(["log"],{level:t,event:n,limit:1}))}catch(p){r.value=p instanceof z1?p:new z1(0,ge(p))}}),()=>{a.close(),cancelAnimationFrame(f)}},[t,n,i.value]);let l=a=>be(["log"],{level:t,event:n,...a});return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Log"}),s("div",{class:"actions",children:s("button",{type:"button","aria-pressed":i.value,onClick:()=>i.value=!i.value,children:"Follow"})})]}),s("div",{class:"tools",children:[s("label",{class:"choice",children:[s("span",{children:"from level"}),s("select",{value:t,onChange:a=>l({level:a.currentTarget.value}),children:S0.map(a=>s("option",{value:a,selected:a===t,children:a},a))})]}),s("input",{type:"search","aria-label":"Text in the event or component",placeholder:"Event, such as audit",defaultValue:n,onChange:a=>l({event:a.currentTarget.value})},n),s("button",{type:"button","aria-pressed":n==="audit",onClick:()=>l({event:n==="audit"?"":"audit"}),children:"Audit"}),s("span",{class:"muted",children:[o.value.length," lines"]})]}),r.value?s(o1,{problem:r.value}):s(_1,{caption:"Lines of the log, the newest first",columns:[{name:"timestamp",title:"Time (UTC)",cell:a=>s("time",{children:a.timestamp.replace("T"," ").replace("Z","")})},{name:"level",title:"Level",cell:a=>s("span",{class:T0[a.level]??"tag",children:a.level})},{name:"event",title:"Event",cell:a=>s("code",{children:a.event})},{name:"message",title:"What",cell:a=>s(C0,{line:a})}],rows:[...o.value].reverse(),rowKey:a=>String(a.number),empty:"No line fits."})]})}function C0({line:e}){let t=Object.entries(e).filter(([n])=>!P0.has(n));return s(I,{children:[e.message," ",t.map(([n,o])=>s("span",{class:"log-field",children:[s("span",{class:"muted",children:[n,"="]}),Z(o)," "]},n))]})}var Mi={path:"log",title:"Log",inNavigation:!0,view:M0};function Mt(e){return{...e.properties,...R0(e.body)}}function R0(e){let t=e;if(typeof e=="string"&&e.trimStart().startsWith("{"))try{t=JSON.parse(e)}catch{return{}}return typeof t=="number"?{value:t}:typeof t=="object"&&t!==null&&!Array.isArray(t)?t:{}}var E0={latitude:/^lat(itude)?$/i,longitude:/^(lon|lng|long|longitude)$/i,direction:/^(track|heading|course|bearing|direction)$/i,label:/^(callsign|label|name|title|flight)$/i,price:/^(price|last|mid|bid|rate|value)$/i,open:/^open$/i,high:/^high$/i,low:/^low$/i,close:/^close$/i};function Ce(e,t,n){return n||(Object.keys(t).find(o=>E0[e].test(o))??"")}function Re(e,t){let n=e[t],o=typeof n=="number"?n:typeof n=="string"&&n.trim()!==""?Number(n):NaN;return Number.isFinite(o)?o:void 0}function Ci(e){let t=Re(e,Ce("latitude",e,null));return t!==void 0&&Math.abs(t)<=90&&Re(e,Ce("longitude",e,null))!==void 0}function Ri(e){return Re(e,Ce("close",e,null)||Ce("price",e,null))!==void 0}function u2({queue:e,fields:t,current:n}){let r=[{name:"table",title:"Table",fits:!0,href:x1(["queues",e])},{name:"map",title:"Map",fits:Ci(t),href:x1(["queues",e,"map"])},{name:"prices",title:"Prices",fits:Ri(t),href:x1(["queues",e,"prices"])}].filter(i=>i.fits||i.name===n);return r.length<2?null:s("nav",{class:"segments","aria-label":"Views of the queue",children:r.map(i=>s("a",{href:i.href,"aria-current":i.name===n?"page":void 0,children:i.title},i.name))})}function Ei({queue:e}){let{data:t}=a1(Y(["queues",e,"keys"],{limit:1}),1e4),n=t.value?.values[0];return n?s(u2,{queue:e,fields:Mt(n),current:"table"}):null}function jt({label:e,name:t,value:n,choices:o}){let{segments:r,query:i}=a2.value,l=o.includes(n)?o:[n,...o];return s("label",{class:"choice",children:[s("span",{children:e}),s("select",{value:n,onChange:a=>be(r,{...Object.fromEntries(i),[t]:a.currentTarget.value}),children:l.map(a=>s("option",{value:a,selected:a===n,children:a||"–"},a))})]})}function B2({isLive:e,rate:t}){let n=t.updates-t.values;return s("p",{class:"follow-rate","aria-live":"off",children:[s("span",{class:e?"tag on":"tag warn",children:e?"live":"waiting"})," ",t.values.toLocaleString("en")," values/s",n>0&&s(I,{children:[", which stand for ",t.updates.toLocaleString("en")," updates/s"]})]})}var D0=8,Di=250,A0=5e3,O0=/\r\n\r\n|\n\n/;async function j2(e,t,n){let o=Di,r={id:""};for(;!n.aborted;){try{let i=await ir(e,{signal:n,headers:L0(r.id)});t.begin(),await N0(i,t,r,n,()=>o=Di),t.lost("the stream ended")}catch(i){if(n.aborted)return;if(i instanceof z1&&!i.isUnreachable&&i.status!==429){t.refused(i);return}t.lost(ge(i))}await I0(o,n),o=Math.min(2*o,A0)}}function L0(e){return{Accept:"text/event-stream",...e?{"Last-Event-ID":e}:{}}}async function N0(e,t,n,o,r){let i=e.body.getReader(),l=new TextDecoder,a="",c=performance.now();for(;;){let{done:f,value:p}=await i.read();if(f)return;let h=(a+l.decode(p,{stream:!0})).split(O0);if(a=h.pop()??"",$0(h,t,n),r(),o.aborted)return;performance.now()-c>D0&&(await V0(),c=performance.now())}}function $0(e,t,n){let o=[],r=()=>{o.length&&t.values(o),o=[]};for(let i of e){let{kind:l,data:a,id:c}=q0(i);l==="value"?o.push(JSON.parse(a)):l!==""&&(r(),F0(l,a,t)),c!==null&&(n.id=c)}r()}function F0(e,t,n){if(e==="removed")n.removed(JSON.parse(t));else if(e==="snapshot-begin")n.begin(JSON.parse(t).partition);else if(e==="snapshot-end")n.snapshotEnd(JSON.parse(t));else if(e==="partition-lost"){let o=JSON.parse(t);n.begin(o.partition),n.partitionLost(o)}else if(e==="error"){let o=JSON.parse(t);throw new z1(o.status,o.detail)}}function q0(e){let t="",n="",o=null;for(let r of e.split(/\r?\n/))r.startsWith("event:")?t=r.slice(6).trim():r.startsWith("data:")?n+=r.slice(5):r.startsWith("id:")&&(o=r.slice(3).trim());return{kind:t,data:n,id:o}}function V0(){return new Promise(e=>document.hidden?setTimeout(e,1e3):requestAnimationFrame(()=>e()))}function I0(e,t){return new Promise(n=>{let o=setTimeout(n,e);t.addEventListener("abort",()=>(clearTimeout(o),n()),{once:!0})})}var Mn=class{current=0;ofAll=0;begun=new Map;ended=new Map;begin(t){this.current++,t!==void 0?this.begun.set(t,this.current):(this.begun.clear(),this.ofAll=this.current)}end(t=0){this.ended.set(t,this.current)}isOpen(t=0){return(this.ended.get(t)??0)<this.beganAt(t)}isLeftBehind(t,n=0){return t<this.beganAt(n)}beganAt(t){return this.begun.get(t)??this.ofAll}};var W0=1e3;function Cn(e,t,n={}){let o=y1(()=>({problem:g1(null),isLive:g1(!1),rate:g1({values:0,updates:0}),sample:g1(null)}),[]),r=Y(["queues",e,"follow"],n);return l1(()=>{let i=new AbortController,[l,a]=[0,0],c=new Map,f=new Mn,p=new Set,h=setInterval(()=>{o.rate.value={values:l,updates:a},[l,a]=[0,0]},W0);return j2(r,{begin:b=>f.begin(b),values:b=>{for(let g of b){let w=String(g.key),k=c.get(w)?.updates??0,S=g.partition??0;c.set(w,{updates:g.updates,partition:S,snapshot:f.current}),f.isOpen(S)||([l,a]=[l+1,a+g.updates-(g.updates>k?k:0)]),t.take(g)}o.sample.value??=b[0]??null},snapshotEnd:({resumed:b,partition:g=0})=>{if(f.end(g),p.delete(g),o.isLive.value=p.size===0,!b){for(let[w,k]of c)k.partition===g&&f.isLeftBehind(k.snapshot,g)&&c.delete(w);t.retain(new Set(c.keys()))}},removed:({key:b})=>{c.delete(String(b)),t.remove(String(b))},partitionLost:({partition:b})=>{p.add(b),o.isLive.value=!1},lost:()=>{p.clear(),o.isLive.value=!1},refused:b=>o.problem.value=b},i.signal),()=>{i.abort(),clearInterval(h)}},[r]),o}var Ai=`1564-1120-96 10
1468-1110-16 9-1 11-50 12-18 25 2 26-21 3-5 19-51 28-11 30-35 49 1 8
1263-890 37-9 51 1 46 53 41 18 8 28 28 14 46 3
1520-782 2-18 40-1 35-20 50-15 3-82-15-29 7-8-3-14 11-30-25-34-7-24 4-8-58-55
1263-890-26 14-68-6
1169-882-62 52-5 17-3 163 99 1 0 105
1198-544 20-13 1-14 45 10 3-20 34-14 40-3 17 19 21-32 42-15 30-42 27 6 11-10 1 64-15-3-1-10-21 4-29 26-6 17 14 46-2 44-10 23 24 22 1 15 92 14
1537-410 15-20 16 0 29-23 49-17
1646-470 4-11 10 0 8-12-2-9 17-26-20-17 6-13-7-13 1-35 13-11-25-15-3-29-14-19 16-21 10 0
1660-701-148-48 8-33
2654 832-38-17-7-17 2-15-31-16-112-35-35-29-33-1-30-19-31-10-56-6-31-26-52-11-26 5-12 28 2 22-9 16-8 46-14 15 7 4 0 53
2140 819 18 15 2 34 11 8 25-10 61 5 79-8 13-15 8-1 15 9 37 52 43 21 147 21
2599 950 55-118
2688 632 37-4-39-12-20 11 11 9 11-4
5203 520-2-19-9 18 11 1
5399 1075-29-11-2-11-10-6-24 3 4-13-12-23-27-17-18-49 13-23 31-28-1-11-6 2 74-72 9 1 40-48 24-76-1-29 7-16 1-18-5 8-6-6 4-12-5 1 0-35-11-19-44-22-5-9-37-16-13 13-3-13-11 7-6-4 8-8-15 0 16-9-9-13-23 18 18-20-1-13-32 22 16-30-33-15-19-24-17-1 6 7-3 43 12 20-33 21
5221 521 21 6 10 8 0 11 14-4 22 7 20-9 0 12-15 13 0 17 7 6 20-4 1 13 54 21-1 34 6 20-14 34 10 29
5376 735-2 14 9 14-25 27 12 12-27 24-10-1-8 23-67 69-1 16-62 32 8 9-1 10 27-3 17 20-4 9-24 12 11 10-24 15-23-12-27 10-12 18 4 21-6 6-8-6-27 35
5106 1119 17 19 26-16 17 17 9-10 6 10 16-12 10 13 12-5 15 6 9 16 21 10 28-21 15 2 32-9-11-14 5-26 15-3 20-16 20 3 11-8
-3192 557-4-13-24 5 28 8
-3001 427 9-15-44-35 4-16 16-4-2-7-39-15 0-24-12-14 32-37
-3037 260 6-15-19-18-58-22-16 2-12-6-7-21-24 17-34-1-9 10-29 8 28-35 9-54 33-4-3-13-28-11-10-20-45-22-19-20-10 14-33-11-27 23
-3344 61-17 58-20 21-12 0 27 31-17 22-10 32 2 39 17 33 0 12-19 6-78-9-36 42-30 7-63-3-24 24 6 32-22 47-13 8-15-3 18 29 15 53 23 18 14 23 32 10
-3566 593-32-15 18-45-26-42 25-39 19 6 9 27-22 42 2 21 68 28 15-2-1 10-19-3-4 13 14 15 18-35 41-2 21-14 13-33 95 7 19-19 36-10 48 20 22 2-28 7 121 5-25-10-27 0 12-13-3-11 10 7 11-21 12 10 17-17-1 9 9 4 39-27-11-10-11-28-19 0 16-10 25 10 39-3
8337-741 3-17 14 11 6-25-5-7-17-3-7 12-3 38 9-9
8371-805 21-17-19-6-6 20-9 4 2 10 11-11
8422-839-13-1-2 8 15-7
8415-817-19 6 12 7 7-13
8422-877 4-13-18 4 14 9
8411-799-3 26 3-26
8409-766-3 17 3-17
8475-977-8-4-5 14 13-10
8467-947-18 3 2 12 6 0 10-15
3547 2112 14-4-52-31 61-21 1 11 8 0 4 10 11-17 14-1 1-8 48-10-27-15-10 3-2-9-11 2-22-14-37 4
3548 2012-18-1-11 8 18 17-17 16-34-19-18 5-8-10 4-18-33-2 18-3-9-2 4-8-12-3-9-15-37 4-15-8-3-12 15-4 2-7 22-4-3-22 14-13-25-32-5-20
3388 1859-62 8
3326 1867 3 34-48 11-93 46-64 41-29 56-20 9-52-3-18 9-1 18 6 2-13 9 2 12-31 5-39 23-21-8 16-16-23 9-10-15-27-3-16-13 8-25-5-5-52 3
2799 2066 0 184 129 28 122-58 50-45 60 6 62-3 23 8 30-20 15-22 15 6-5-50 25 0 11-41 61 1 9-9-4-11 19-9 8 0 0 13 29 27 89 41
-2669-1687-20-32-19-15-37-13-39 8-28-6-47 22-32-1-29 28 2 37 14 14-6 21
-2910-1624 1 28 9 12 9 41-3 13 14 21
-2880-1509 19-5 19 9 40-34 2-15 20 11 21-21 30-10 18-19 23-10 8-17 24-17-21-22 0-24 8-4
7237 663-5 8 14 9-9-17
-3307 922 25-3 1-7-26-15-53 3-3 18 5 7 51-3
-6637 2826-10 2 5 12 14-11-9-3
-6639 2812-13 6 20 4-7-10
-7228 2991 16 10-16-10
-8573 3182 51 3 44-16 42-3-7-7-25 0-16-11-42 21-64 2 3 14 14-3
-8307 3019 21-3 6-20-27-8-50 12-15 10 65 9
-7645 2891 24 0-3-6 13-6-10-6-26 2 13-8-53-14 5-5-17-9-5 2 14 9-22 7-7-2 10-5-8-4-18 21 8 11 21 5 22-18-8 28 18-6 13 3 3 9 13-8
-6501 2794-6-11 5-18-9-14
-6511 2751-18-13
-6529 2738-13 2-10 18 15 8-20 34 5 4-37-10-8-16-9 1-4 9 18 20 14 2-31 11-31 24-1 8-32 6-9 23 26-4-21 15 17 1-26-2-16 12 8 22-16-14-29 11-18 19-11 29-7-11 21-48-41 8 2 9-9 12 11 4-10-1-6 8-4-14-39 14-3-8 22-4 10-5-3-4 21-8-27-11-47 17-49 29-63 18 13 9 0 13 9-4 3-13 3 10 12 1-23 9-49-15-49 9 6 5-6 6-14-8-63 7-60-4-2 7-36 9 10 16-27-14-33 5 11 9-45 3 9 5-12 4 2 8 16 3-54-10-32 1 12 14-29-8 7-2-7-8-11-2 15-7-19-10 34 0-11-4-1-12-13-9-47 6-10-16-6 7-3-8-11 1 2-5-12-6-20 0-17-16-50 1 45 26-21-7-20 7 23 25 4 23 44 14 68-7-49 15 37 16-6 0-27-11-48-4-40-14-1-8-25-12-5-9-33-2 20-13-30-10 9-1-3-6-28-3-21-14-5-10 38-10 5-4-6-6-42-23 2-7-38-7-72-33 2-8-11-10-90-28-7-6 14-6-11-7-5 6-9-10-37-9-7-9-6 11-70-23-14 0 2 8 11 0-16 4-28-24-15-4-12 9-3-12-22 3-1-7-10-4 3 14 19 4 60 35 24 6 16-1-5-6 10-6 5 6 20-4-12 10 12 16 69 28 12-4 1 12 17 13 24 11 19-1-12 9 4 19 21 7-14 3-2 8 27 16 9 20-17-13-53-13-15 12 4 7 17-1-17 5-20-5 2-27-9-2-36 26-12-5-22 12-50-20-39-1 21 8-3 11 7 4-17 2 8 22-30 35 24 20-10 0-27-21 8-3-3-11-66-9-58 31 2 4-17 2 28 18 24-6-3-9 19 8 13-8 16 8-24 5 16 2-77 2 13 9-24 4 3 4-5-9-9 0-15 12 1 10-13-2-3 8 18 2-14 5 23 4-4 11 25 19 22 1-4 4 13 6-11-4 0 15 21 5-7 5 6 5 23 1 16-6-6-5 23 1 33 11 17 13 39-3 29 10 7 8-10 22-26 9 28 7 3 11-12 6-32-5-48-22-24 14-5-3 12-4-4-5-29 8-63-6-58 6-17 7 3 10-25 12 38 6-62 7-34 12 84 24 39 0-10 7 68 15 41 0-13 0 6-2-13-16 17-7 88-2 24 12 21-5-4 8-40 4-34 24 12 2 39-24 67-2-6 10-52-3-23 7 12 14-5 2-91 4-29 25-133 38 20 3 9 23 117 8 35 17 10 19 54 29 6-4-16-5 54 7 44 15 8-2-7-11 12-3 2 11 22 1-35 6 20 7 88 4 72 27-4-3 49-11-28-10 8-4 52 12 13-5-5-4 29-5 48 7 47-5-9-9 36-5-9-5 133 2 79-14 154-12 70 7 111-23
-7050 3483 0-468 51-6 15 7 30 1-5-13 79-43 8-16 43 13 6 15 9 1-2 6 42 10 22-11 5-15 77-43 58-61-5-6 15-3-3-8 12-3 2-11 86-24 4-11
-8174 2749 20-16-50-2-26-11-15 7 21 18 34 7 16-3
-6665 2777-17-14-5 12 22 2
-6567 2754 5-9-18 6 1 11 12-8
-6606 2805-1-8-11 0-17 13 16 15 16-13-3-7
-6549 2774-10-14-13 10-16-12-4 10 11 24 18 6 13-12 1-12
-6668 2850 20-6-2-13-16 11 8-11-3-8-21 1-2 16-15 10 31 0
-6643 2745 12 0-4-11-36 31 16-4 12-16
-7320 3023 15-2-25-8-5 7 15 3
-7387 2991-7 0 35 27 11-4-39-23
-7650 2856-19-3 5 6 19-2-5-1
-8034 2766 6 3 4-10-16-2-2 10 8-1
-7994 2756-17-10 2 10 13 7 2-7
-8292 2704-13 3 20-2-7-1
-8046 2929-11 4 21 7-10-11
-8637 3023 25-8-42 10 8 5 9-7
-8857 2586-27-1 29 11-2-10
8973 2569-41 13 41-13
8686 2618-16 2 19 5-3-7
-6749 2868 17-30-2-27-15 15 5 8-23 7 7 10-13 11-18-12 0 14 19 13 23-9
-6734 2908 22-1 21-26-24 21 20-34-27-15-9 4 7 17-22 44 12-10
-6787 2912 6-12 14 6 19-5-1-10-18-3 18-2 2-12-31 9-7-12-11 1-32 27 12 12 9-6 20 7
-6678 2817 18-1 5-11 25-10 21-21-17 6-6-6 33-14-2-24-55 30 8 4-4 9-32 10 22 7-7 6-18-4 10 9-1 10
-6699 2842 12-10-10-26-12-2-1 17 6 2-15 19 12 5 8-5
-7621 2918 22-6-47-12-23 4 30 10-3 7 21-3
-8398 2667-56-25 20 19 15 3 5 11 24-1-8-7
-8331 2695 20 2-17-12 13 0-23-11-53-8 54 20-17 3 2 8 18 3 3-5
-8678 2607 27-3-49 2 22 1
-8734 2602-31-1 50 10-7 5 14 5 7-4-5-10-28-5
-8830 2593 8-5-26-8 13 19 5-6
-8894 2583-16 11 28-3-12-8
8871 2594-9 1 22 10-13-11
8641 2651 31-8-25-5-22 9 16 4
-7779 951-15 3-8 33 11 14-1 13 32-14 20-24-39-25
-7861 1061 25-3-29-2 4 5
-7824 1047 24-9-20-8-15 17 6 5 5-5
-7890 1073 8-8-24 1-8 13 16 6 8-12
-7969 1097-20 5 21 9-1-14
-3735 2250 159 0 10 14 23 0 28 31 15 40 38 38 9-2 6-10 31 7 26-14 0-68 18-6-2-16 6-5 12-1
-3356 2258 7-17-11-7-32-5-11-10-19 6-5-12-14 4 3 12-19-27-24-8-2 6-8-11-12 3-11-8-27-43 10-10-21-14 15-6 16-23 21 3-12 14 7-1 8-20-36-7-2 9-23-12 1 13-13 3-6-21-70-5-53-26 5 15-4 9 2-16-17-20 14-6-5-31 1 11-37-50-8-3 3 10-31 17 5 15 17 10-25-17 9-27 16-16-5-9 7-9-45-63-2 12 16 28-10 1 0 19-10-4-10 8 0 8 12 1-16 5 9 7-8 2 9 9-5 6 18 9-6 2 6 5-9 2-18-17-8 2 8-7-7-3 8-35-13 9 16-23-33 18-12-2 10 24-11-14-1-12 12 0 39-23-4-11-8 0-31 24 41-29 2-11-10-4-15 11 24-22-6-3-12 11-31 5 29-7 10-14 24 1 23-55-20 42 6-27-16 8 0-7-21-6-9 10 1-13 32 1 0-14 11 13 5-6-1-10-20-14-20 9-8-5-15 4 26-12-13-15-15 9 5-7 26-2 1-7-43-12-6 7 2-11-19-12-8-17-2 11-3-12-19 0-22-10-18-24-1 8-3-13-33-17 0-7-35-7 8-5-5-7-11 8 5-11-21-17-3-17-10-9 5-5-8-3-4-20 13-50 37-66 3-29-7 31-5-9-7 21 40-98-4-48-18-31-32-4-1 8 10-2-21 29-18 7-12 26 7 9-11-6 1 20-14-4-21 31 16 18-14 5 3-9-6-4-5 7 9 52-52 52-17 9-14-2-3-8-47-11-2 10-16 12 4 8-8-6-35 12 17 0-7 5-47-8 11 5-1 6-14-11-36-5 11 3-12 20-6-17-38 3-34-13-27 10-11-4-4-7 12-6 22 8-4-9 9-5 12 7 2-11-18-10 35-21-18-11-7 13-32 15 5-10-8-12-8 10-19-8-27 7 7 2-4 12-14 0-19 14-18-14-46 11-32-3-1 13-3-15-43-15 12 8-13 0 2 11-14-3 7-16-20-21-48-24 11 8-22-2-9 5 11-12-13-6-5 4-3-11-16-3 4-8-18-7 8-8-8-18-16 7 14-11 2-38 15-26
-4857 1298-12-4-86 28-18 31-2 24-40 39-23 43-31 28-48 6-20-11-8-21-18-11-57 29-26 50-76 59-89 1 0-22-141-1-190 59 6 11-120-9
-5856 1627-17 38-31 21-17 1-4 14-32 5-23 15-52 8 0 25-62 63 4 26-30 17-5 17 3 13 18-16-12 26 40 3-44 4-6-16-24 8 5 11-40 35-7 44-24 24-3 12 10 14 5 34-23 68 20 44 11 94-4 32 39-3-43 6 2 16 5-8 3 11-12 10 14 5-15 0-12 35-14 16-3 20 37-11 60-1 6-13-24-26 11 2-7 3 26 23-7-15 5-16-9-4-3 6-10-10 16-1 17 13-2 20 8 12-14 7 5 7-12 8 8 2-1 8-13 17
-6139 2450 1381 0 0 18 15-3 12-28 46-11 35 5 25-9 4-8 21 1 24-12 30 7 73-10 54 15 175-70 16-22 21 4 8-23 18 2 8-6-7-9 52-24 21-88-20-48-30-24 6-15 16-8 71 26 52 8 60 22 6 5-13 28 17 6 101 2 34 34 48 30 24 5
-3626 2049-3-3 34 7-65-20-42-1 23 14 48 4 17 8-12-9
-3777 1762-7-1 7 3 2 24-2-26
-3825 1732 15 15-15-15
-4019 1257-10-9 16 19-6-10
-4838 1408 18 11-18-11
-4868 1365 15 26-15-26
-4859 1308-11 33 1 19 10-52
-6129 2408 10-12-18 15 6 8 4-4-8-4 6-3
-3767 1894 12 21-12-21
-4009 1364-13 29 13-29
-4245 1482-11 0 19 5-8-5
-1855-2703 39-10 26-25-14-5-40 26-57 17 46-3
-2943-2564 22-2-4-8 11-5 1 8 14 2 9-7-8-3 8-3-44-15 1-8-27 4 7-8-17-6-7 3-5 5 3 11 26 12-2 9 12 11
-3014-2573 51 2-33-28-16 0-7-9-29 5 36 14-17 3 17 4-16 14 14-5
-221 2709-18-5 18 16 0-11
-133 2581-45-10-16 9-18-2 7 5-14 4-26-6-18 13 56 22 8 11-6 19-29-6 21 17 42 10 16-4-3 7 5 1 16-6-16 11 10 33-15-3-22 22 7 11 21 9-46-9-43 3-5-8-11 9-2 6 25 26-11 10 4 11 12 1-13 6 2 5-21-14 0 9 11 9-19-11-9-32-10-1 13 22-6 1 4 22 18 25-24-11-24 9 21 7-7 2 15 17-13 10 12 5-8 6 7 11 22 0-13 9 4 9 17 1-4 6 5 10 96 3-8-16-39-18-2-5 9-2-14-12 42 7 72-5 4-7-36-42-41-14 22 2 10-7-34-12-21 4 82-10 24-16 21-44 58-29-6-5 16-21-39 6 18-1 29-18 4-9-16-13 12-5 14 8 36-2 19-8 4-9-7-23-18-7 2-7-26-5 7-8-24-6 50-5-1-9-22-13-38-8-81 7 4-4-35-5 0-6-48 6-20-4-14-20-26 8-26-5-20-13-27 2 38 23 36 32 52 1 35 27-11-6
-210 2666 8-1-17-8-9 12 18-3
-65 3027 12-5-12-28 0 14-18 6 14 3-10 8 14 2
-153 2951 15-3-30 3 6 6 9-6
-289 2817-27-2 9 10-9 4 11 3 17-7-1-8
-306 2797 2-14-11-3 0 9-10-4 19 12
-299 2791-5 4 18 11-13-15
-310 2918-18-13 7-4-27-13-6 3 11 5-10 4 2 11 15-2-3 6 27 10 2-7
-307 2875 0-9 24-5-16-9-3 8-14 0-22 12 20 11 11-8
-360 2884 5-3-4-4-17 3 16 4
-311 2704-22-1-17 17-18-14-38 15 18 9-8 5 18 3 17 17
-361 2755 37 7 22-5 16-16-8-9 15 1 5-8-10 2 4-13-21-11-10 1
-53 2535-10-6-15 4 12 6 13-4
2815 1283 4-34
2819 1249-16-12-3 11-10-5-2-31 11-9-26-6 4-6-18-56
2759 1135-4-4-127 16-48 57-2 10
2578 1214 10-1 4-12 14-2 26 9 58-4 17 5 13 5 13 22 64 54 7 13
2804 1303 3-18 8-2
1911 2355-34-1-37-18-49-5-40-26 13 9-2 8-19-12 7-23
1750 2287-39 18-28 6-3-6
1680 2305-56-1-33 10 9 8-22 6 40-4 11 7-27 1-14 29 8-15-2-13-17 0 1 6-8-8-30-3-29-35-29-7 3-23
1485 2263-15 8-32-9-27 11
1411 2273 14 3 0 7 22 19 1 21 59-2-11 6-2 14-15 7-2 16-20 10-1 24-79 26-46-11
1331 2413-16-3-7-10-59-14-20 11-69 7-16-7
1144 2397-37 23
1107 2420 20 34
1127 2454 16-1-8 6 0 21 69 47-5 12 6 5-25 32
1180 2576 5 6 14-2 19 13 71 3 68-8 28-14 24 6 28-8 18 9 12-12 41 5 19-11 0 17 11 15 16 9 34 1
1588 2605 18-2 16 12 65 2 33-28-14-5 5-21 42-3 13-8 5-25 9-9 26 2 25-10 40 11 31-25 11 7 91-24 1-16-21-13 16-9-10-1-8-10 10-3 6-14-9-19-44-1-27-12-7-26
1601 2310 7-2-30 5-3 6 26-9
1695-50-170-3
1525-53-29-20-5 6-12-2
1479-69 7 74 11 36 66 61-4 11-23 10 6 51
1542 174 16 15 19-5 13 6 17-14 10 9 33 9 24-6 25 23
1699 211 9-20 14-8 0-25 21-29 6-40-9-27-16-10-27-43-2-59
3326 1867-38 11-10-15-37-6-15-40-25-16-45-9-3-20-19-9-19-4-16 13-18 0-18 9
3063 1781-7 51-39 0-20 20-24 11-8 13-24 8-28-1-45 16-8 12-38 1-8-8-45-1-24-14-10-15-39-7
2696 1867-3 80-8 14-18 6-9-4 4 17 18-3-6 18-25 4 3-10-15 31 10 32 10-11 24 0 12-9 26 3-3 7 18 2 1 10-30 22-15 30-42-7-7-13 2-26-18 29
2625 2089 28 18 53 10 37-19 29-33 27 1
2076 2076 47-4 15 7 34-24
2172 2055 14-19-8-12 5-18 31-4 24-17
2238 1985 3-2
2241 1983-12 5-9-17-19-2 13-27 1-23 8-2-12-22 18-9 0-14 11-8-2-7
2238 1857-24-8-8 16-22-4-45 8-21-14
2118 1855-8 10-34-11-41 1-67-21-30 1-28 10-38-13-39 8-6-17 5-11-13-3-11-17-13 4
1795 1796-4 19 18 18-7 12-32-16-35 12-50-32-45-7-21 7-18 18-39 14-30 2-10-30-38-5-23 8-12 20-34 5-14-9 3 6-31-2 27 6 12 9-49-2 2 7 12 2-24 25 8 3 1 13-48 15 8 18 12-15 23 6-12 1-7 12 13 8-10 4 2 8-9 9 11 13-39-5 3 26 28 21 27 3 22-7 6 3-5 5 7 2 4-8 52 2-11 7 53 10-36 10 1 14 106-6 52 31 54 15 68-3 13 5 8-2 7-15 38-2 17-20 19 4 14-9 66-13 52 9 42-7 63 28
1401 2098 9-20 43-17-5-11-39 4-34-5-12-15-53-30 3 12 27 15-35 0-3 5
1302 2036 15 12 0 14 14 8-2 10-13 6
1316 2086 15 12 31 7 15-9 24 2
575 1659 0-38-61-37-8-11 5-34-16-20-19-8
476 1511-24 93-35 23-11 26-19 10-12 29 1 12 36 33 8 23-8 30 6 28-8 8 19 21
429 1847 55 20 8-2-1-8 3 6 16-3 11-23 32 17 3-10-32-35 5-15 21-12 6-20-54-55 13-21 21-2 0-8 12 5 12-19 15-3
-3051 507-44-4 20 10 1 17-9 6 37 6-6-8 1-27
45 550-7-31 29-19 2-32 11-15 1-103-4 0 12-35-8-4
81 311-22-7
59 304-22 19-11 20 6 25-7 9 9 41-15 20 5 5 2 27-14 3 7 42-23 19 0 22
-4 556 49-6
6253-476-5 15 9 9-10-1-1 6
6246-447 23 18 79 13 17-5-19-15-93-40
6202-467 20 8
6222-459-8-12-12 4
4920 395-5-6 1 19 4-13
5006 1016 10 3 10-10-6-21 6-10 35-1 3-28-12-27 5-15-9-30 10-2 47 36 28-20 20 10 15 20 29-5 40-43 4-50 41-40-7-20 0-33-16-13
5259 717-5-6-15 10-79-4-15-10-18-28-11-2 9-44 13-12-1-16 10-20
5147 585-17 25-3-5-35 27-47 1 3 39-18 6-18-4-13-12 6-10-6-43-41-93 5-53 29 1 7-35 15-16 13-52-14 28-5-9 13-21 30-16 24 0 30-31
5105 312-11-21-10-2-6 6-22-13-7 7 4 23-40 22-7-12
5006 322-21 22-5 24-12 1-33 44-6 4-14-6-3 27 23 72
4935 510 3 23 43 56-25 63 1 34-47 63 0 11 18 8 2 34 14 16-11-1-11 32-37 41-3 25-13 11 18 3 4 44 10 14 45 2 8 16 20 3-1 10 22 3 11-5
1975-309-1-14-15 14 7 23 9-23
1993-245-6-27-5 4 2 22 9 1
1537-410-26 58-34 36-3 15 6 15-14 41 4 23
1470-222 27 7 42 51 0 15-17 5 6 24
1528-120 13 3 3 10-3 29-16 25
1695-50 187-102-2-23 81-60
1961-235-21-69 4-13 33-34-13-25 8-25-7-21 17-38 4-40 37-23
2023-523-57-33-41-15-29 6-10-14-17-7-20 8-34-7-19 12-18-7-30 1
1748-579-18 25-2 42-12 25-16 12-6-9-48 14
1986-399-6 2 15 15-9-17
3548 2012-22-15-28 13-22-5-2-9-10 0 1-20 60 3 15-9 33 10 16-16 13 4 9-8 17 9 54 3
3682 1972 8-42 9-3 15 6 27-10 4-43 11-11-12-7
3744 1862-27 9-34-9 3 9-17 2-36-22-50-16-11 21 7 39-15 1-1 19-19 8-33-27-2-17-34-1-10-22-19 11-43-20-15 12
6050 1131-8-35-30 40-8 22 3 25 45 69 28 12 16-15-26-90-20-28
2118 1855-29-25-24-11 3-37-8-44-11-17-110-52
1939 1669-98-53-22 3-30 18
1789 1637 7 10-3 25
1793 1672 9 7-4 8 20 5-3 6 14 13-13 14 3 8-20-2
1799 1731-4 40-7 8 7 17
476 2376 5-3-5-9
476 2364 3-11
479 2353 28-10 10 6 6-6
523 2343-1-16-18 3 2-18-9 6-21-3-5 9-8 0-12-32-28 20-2 10-32-26-38 0
351 2296-12 12-1 13-17 1-11-12-11 1 24 36 27 19-2 7 19-1 14 8
381 2380 40 0 8 9 47-13
954 2892-13-7 4-15-38-24 7 8-9 10 2 14 20 14 27 0
826 2815-6 1 1 12 35 38-30-51
569 2952 13-6 8 19-6 15 13 13 27 12 5 18-14 27 20 3 9 15-36 18 7 28-9 16 5 20-11 15 9 15 31 20 63 5 1 18-22 6 42 36 8 25-5 17 47 8-3 9 49 29-14 18 23 10 10 14 27 10 30-7 13 12-1 16 7 2 84-10 13 6-14 3 19 15-11 9 25 1
1031 3452 69-26 43-8 39-20-7-4-2-21 14-2-5-14 17-16-14-17 0-11 23-23
1208 3290-53-3-35 6-7-13-35-10 2-7-9 3 8-10-22-16 19-17-38-30-108-34-14-9 9-1-2-4-14-5-15 4 8-14-20-7-11 2 0-8 11-5-13-19 4-9-13 2-3-7 5-44 21-8 15 3 52-39-52-23 33-2-17-11-65-22-38-1 35-7-13-3 6-11-11-20 5-16-9-12 2-10-30-45-60-1 2-5-27-10 6-16-8-6-65 1 5 16-25 28 16-2-7 9 10 1 1 8-23 14-34 41-2 13-13 7 0 11-10 1-5 31 12 3
1597-1298 6-3 3-41
1606-1342-6 1-2-24-25 0-20 9-13 18 0 17 20 29 11 5 26-11
-2708 268-16-26 6-39 18-31-10-15 0-16-21-25
-2731 116-18 14-38-10-11 6-9-13 11-19-28 3
-2824 97-11 5-25 41-5 26-17 1-21 35 9 39 27 7 7 26
-2860 277 12 23 53-15 4 13 49 1 39-9-5-22
1542 174-58 55-11 2-12-11-25 5-15-9-11 2-40 37
1370 255-13 31-31 17-11 20 3 9-54 39-4 19-17 17-28 8-8 18
1207 433 20 11 12 45 14 26 8 1 32 4 3-11 37-35 61 6 8-14 40 0 7 14 25 8 6 15 20 11 38-27 23 3 60 64-4 31-13 15 33 1-1 10 24 0-6-31 2-43 39-28-1-34 10-2
1704 473 0-46-40-5-14-27 45-20 40-42 14-40 14-18
1763 275-64-64
1207 433-30 8-4 15 8 11 1 24-39 55
1143 546 3 21-16 12-9 48-30 12 20 27-6 24 22 18-8 20 15 8 13 22 0 19 8 8 44 1 0 189
1199 975 0 25 50 0 0 100
1249 1100 312 0 9 10 2-10 271 0
1843 1100 3-21 17-24-6-6 3-43 14-65 56-41
1930 900-19-22-34-12-7-13-19 0-5-38-25-58 5-44
1826 713-20-75-22-7-28-40-9-48-8-6-10 7-12-11-13-60
3999 491 14-1 23-22 33-46 25-58-1-19-11-24-46-22-23 1-8 8-12 34-7 67 1 6 2-14 15 78 17-5-19 8-3 9
157 1989 16-4-19-20-19 12-16 2 39 20-1-10
215 1992-22 11 18-1 4-10
72 1946-11-1 6 9 14 0-9-8
-90 2170 20-8-3-9 8 2 36-15 61-6 3 8 36-12
71 2130 1-8 13 3
85 2125 17-7 59 4
161 2122 1-25-12-9-46-24-52-11-16-12 9-5-15-5-46-55 6-23 20-15-36-22-15-28 5-6-46-13-24-30-112-3-16-11-25-4-9-14-13-6-21 8-17 23 8 14-9-4-23 22-27-5
-370 1859-2 27 24 23-7 0-12 14 17 30-27 30 28 7 4 11-7 7 12 9-6 33 35 27-16 7-4 13-77-6-5 16-26-10
-439 2097-5 8 9 9-6 0 5 7-5 11-11-2 6 10-16 9 3 10 47 13-1 7 28 9 32-10 61 4 66-11 46 5 63-10 27 4
-817 1419-16-19-12 17 39 12-11-10
-686 1446-7-3 4 10 16 9-1-12-12-4
-710 1408-15-3 13 6 12 24 7 2-3-24-14-5
-770 1407-2-16-11-3-7 6 6 14 14-1
-892 1425-8 13 4 4 10-6-6-11
6332 1889 23 25 47 1 17 16
6419 1931 52-78-1-50 9 0-8-28-17-19-28-1-4-12-20 8-16-3 0-12-16 5 4-10-8-8-7 4 3 11-35-22-14 18 17 7-9 0-6 17 16 21-7 3 14 12-11 14-3 27-16 4 16 11 20-9 5 6-12 13-5 29
6316 1661-8 5 9 7 21 5 9-6-31-11
1564-1120 13-54 22-49-2-75
1606-1342 38-1
1644-1343-17-67-13-21-47-38-68-97-106-87-62-32-41-2-11-15-29 3-9-9-11-1-45 9-57 0-39-19-63-4-25-16-36 8 2 6-12 8-14-1-3 14-11 0-7-11 2 29-29 45 23 16-5 38-44 65-19 52-26 39
822-1431 16 8 6 17 9 4 15-12 4-21 33-9 53-3 19 18 22 6 0 184
999-1239 23-18 18-39 1-12-10-14 3-19 51-1 45 35 23 41 16 1 26-15 42-11 35 5 24 49 24 6 22 19 12 33 34 19 23 25 57 25
1437-1505 18 9 15 32-39 35-44-18-19-26-15-8 16-35 19-14 15-2 17 25 17 2
2077-85-28 41-1 185 46 58
2094 199 7 8 42 9 8 12 26 14 70 4 152 154
2399 400 48 73 0 90
2447 563 59 13 34 23 23-7-9-25 3-34-5-11 8 6 9-7-22-4-6-46-48-73-41-89-53-84-55-61-42-40-56-34-60-47-87-92-22-36
2399 400-50 0-150 50-25 19-32 41-9 20 13 20
2146 550 16 25
2162 575 31-36 26-17 28 0 44 20 37-5 42 22 77 4
8307-538-17-1 11 6 6-5
8029-590-29 11 0 5 29-16
8077-481 1-7-8 4-2 16 9-13
7888-412 7-13-4-6-13 18-17 0 13 15 14-14
7834-396-9 11 3 6 12-7-6-10
7987-464 11-8 20 1 23-22-48 3-12 13 0 11 6 2
7994-427-47 25-24 25 49-24 20-15 2-11
7874-367-2-4-17 5-32 34 29-13 22-22
8038-416 12-15-3-9 11-8 10-33-29 33-9 29 8 3
8086-519 19-4 14-18-30 5-12 8-3 10-9 2 0 6 21-9
1107 2420-21-3-13 11-49-2-7-11-22-8-14 4-41-11-4-11-48 0-31 11
857 2400-14 19 5 11
848 2430 9 12 31 2 16 9 4 10 34 13
942 2476 16-6 14 10 17-11-1-9 15-1 15 10 64 2 45-17
826 2325-10 2-5-8-29-9 1-17-19-6 3-14-27 1-12 9-10-9-39 2
679 2276 7 3
686 2279 8 2-20 19 8 9-13 4 16 13
685 2326 42-6 18 10 53 4 7 9
805 2343 9 0 12-18
-514 424-18-36-43-43
-575 345-49 24 0 19-11-2-9 7-4 14-16 14 10 0 9 11-14-3-1 13 7 2-12 8
-665 452 14 3 30 40 57 5 29-34-2-11 6-2 6-19-11-17 22 7
-626 372-22 7 17 3 5-10
1135 2212-14-12-3-11 10-16 21-14-14-15-12-2 3-20-9-6
1117 2116-39-4
1078 2112 10 21-19 5-29 25-23-22
1017 2141-57 36
960 2177 15 5-13 16 17 4-23 16 11 26-17-1
950 2243 7 17 13-1-20 11-5 27
945 2297 36 11 31-3
1012 2305 27-18 0-13 36-17-7-7 9-5-9-4 37-14 27 6 5-4-12-7 10-10
-614 740 3-17 10-13-2-28 11-16 10 2 13-21 0-27
-569 620-51-3-33 7-1 8-32 2
-686 634-74 0-19-9-57-7
-836 618-2 8 16 4-8 6-7-7-1 24
-838 653 46 5 1 8 27 4 6 8 46-16 21 8-64 21-21-12-52 0
-828 679-10 16 7 7-9-2-18 32-19 6 20 8 30 46
-827 792 15 35 85 6 34-26 23-4 10-22 46-41
1845 1269-20 13 20-13
2099 836 4 4 5-11-18 10 3 11 6-14
2140 819-25 53-27 22-27 40-23 54-52 31-22 30-15 45 4 36-30 56-27 23-19 6-18 26 4 7-5 17-99 137-28 1 17 65
1748 1468 55-8 35 33 36 7 8 16 17 9-51 50 109 31
1957 1606 61-9 86-43 130-94 93-5
2327 1455 45-5 11-23 39 0
2422 1427 18-41 68-53-8 1 11-19-3-10-6 1 2-8 36-59
2540 1239 8-10 15 1
2563 1230 8-3-6-10 13-3
2759 1135 23-35-33-100-150-50
333 6-7-3-3 8 11 9-1-14
-8617-673 6-17-16 0-12 14 22 3
-8573-702-23 2-6 7 22-1 7-8
-3045 691-3-5-6 7 9 12 0-14
1528-120-32 3-3-19-8-4-16 0-14 10-4-6
1451-136-8 14 14 12 3 24 19 17
6859 2755-6-9-17 2 23 7
6013 3654-31 2 31-2
5314 3910-13 1 35 4-22-5
5371 3862-8 2 21-1-13-1
3838 3672-34 4 34-4
4238 3723-18 0 24 3-6-3
4333 3749 23-2-10-5-33 3 20 4
2966 4065-35 2 35-2
6534 2115-8 12
6526 2127-5 9 32 9 10 24 0 35-14 38 23 7 21 17 54-15 9 6 3 18 13 5 21 32 15 53 30 21-10 15 5 12-18 6-58-14-33-19-76-1-11 16 3 16-12 13 0 13-18 2-35 24-22 0-18 11-35-2-22 12 2 20-13 7-2 18-19 20-44 82-19 15-29 8-13-3-61 20-63-3-82-15-33-23 31-8 5-23-35-25-45-60 9-6-4-11-40-11-29-16-60 15
5834 2491-23 9-40-5-34 17-22 2-75-38-73-8-31-11-105 9-33 17-2 14-34 2-26 17-67 8-65-16-39 2-51 19-8 39-110 20-51 18-13-16-30-17-10-20 10-21 12-5-5-18-41-22-65 13-27-4-45 5-13 10-5 17-58 2-8 9-16-5-13 9-8-8-20 0-87-30-21-10 1-9-28-11-45-2-4-10-15-5
4391 2458-25-4
4366 2454-35 24 3 11-25-14-47 6-13 22-33 9-19 27-29 11-43-14-52 1-4 11-15 0 2 12-19 5-15-6-1-12-22-8-106 124-69 38-3 7 12-1 9 15-70-18-11-9-38-13-5-8-25 7-23-9-5 13 21 17-24-4-31 9-9-10-13 19-9-6-45 1 4 19-22 35-28-7-60 11-39-11-2-9-134-18-20-14-31 2-127-22-34 4-13-20 28-5-16-4-1-8 44-14-52-1-13-15 11-17-49-20 22-14 55-17-9-23-22-8-26-1-18 8-27-17-3 6-29 4-26 18-26 2-20-11-21 9-27-2-40-22-52 22-4-24-21 25-40 22-39 0-17 11-44-11-27 13-28-23-37-10-9-11-35-12 11-30-4-5-21-3-42 27-31-35-4-17 12-10-17-18-2-19 20-9 2-15 10-10 43-2 40-46-20-1-1-8 35-13
2462 2317-28-13 2-9-12 2-42-18-9 5 3-9-22-34-4 3-14-16 29-23 8-27 9 16-9-42 56-60
2429 2092-39-32-24 4-29 27-15 4
2322 2095-40 15 3 15-41 13-5-7-14 6-34-8-2 8-51 21-59 3-47 16-25 1-8-7
1999 2171-63 43-105 44 16 6-11 5 7 2 18-7 21 5-1 9 16 22 28 4-29 16-8 12 37 1-3 8 43 14-14 9-40-9
1588 2605-9 11-1 22-15 13 8 9 36-5 28 16-13 14-34 5 3 12-21 8-16 15 4 6-18 8 9 14-8 11 4 15-33 13-38-8-5 13-29 0-33 10
1407 2807-2 20-13 16-10-1 10 23-24 11
1368 2876 9 14 12 4-14 17-3 28 36 30-7 5
1401 2974 2 15 14-4 40 15 52-2-23 12-33 0-21 9-7 8 6-2 2 6-7 3-36-7
1390 3027 157 89 30 28-18 16-59 27 26 17-2 8-25 14 6 11-25 11 11 9-11 5 11 16-5 3 19 3-1 5-51 56 46 38-32 20-33 6-6 9-4 9 15 15-18 3 27 6
1448 3451 21 14 35 7 4 9 35-4 0 12
1543 3489 34-4 23 6-1 7 48-10-1-8-41 2 14-8 31 0-1-6 24 3-16-18 27 13 109-6 94-25 34-17 57-14 13-1 0 5 28-16 29-6 9-23 11-2-9-20-54-26-72-12-157 17-35 11-17-3-1 5-65 9-16 9 5 3-52 4 88-36-15-6 38-5 29-13 4-10-19-18 20-21 8-11-5-10 9-6 30-3 36-19 54-9 31 14-5 11-39 4-30 20-2 7 12 2 5 10 144-30 15 10 19 0-32 28 1 13 83 26 37 20 51-5 21-8-6-7 28-6 0 12 19 22-3 13-32 16 22 37-1 13-43 21 128-10 39-25 1-7-59-4-31-17 33-12 16-14 31-5 58 9 11 30 48 5-4 11 20-2 142 34 20-9 16 6-19 6 73 20 35 0-35-5 8-3-10-10 9-10-34-9 80-3 3 9 25 9 85 0 97 22 15-13-12-6-1-9 31-4 10 6-1 11 29 1 23 13-39 31 38 12 164-15 35-15 105-18 36-18 39-9 32 31-30 0-21 14-6 12-19 5-28 6-8-7-5 9 6 14 16 4-5 6 7 26-29 4 7 12-10 1 14 10 67 20 57 64 105-2 66-11-12-34-36-28 36-15 6-10 0-25-11-9 5-66 51-24-23-15-4-21-23-9-38-29-24-2 9-14-41-8-17 4 16 7-84 2 9-10 39-9 104-7 13 4 5 11 69 22 14 21 35 17-2 16-17 17 9 17 27 5 67 6 39-25-3-35 30-10 57 0-67 9-2 12 6 10 17 3-17 32-83 17-59-7-52 5 6 11-16 19 38 39-38 32-25 11 30 20 66 15 5 14-16 20 29-1 12-11 7-14-23-17-2-7 13-8-11-11 23-9 164-16-27 4-13 12-89 15-20 18 41 6 35-10 31 3-8 10-31 0 54 15 47-1 67-15 45-18 72 0 7-3-13-10-33-10-4-13 5-10-9-10 3-10 19 25 21 0 0-16-17-18 20-6 0 9 21 3 12 10-29 28 20 22-1 7-17 10-28 2-27 17-64 11-8 12 9 11-21 15 8 16 316 16 6-3-61-19 1-6 43-11-39 15 84 21-50 21-29 4 20 7 42-5-72 14 20 9 33-5 30 15-26 2 3 5 33-2 126 24 199 18-65 1 20 6 116 2 25-3-21-9 47 5-5-5 108 17 55-11-16-11 5 0 16 6-2 11-51 17 140-2 4 2-38 4 9 7-10 10 86 30 78 12 94-18-93-14 162-9-51-20 65 0 23 11 147-1 49-12-8-5 34 0 9-13-7-3 31 10 14-18 16-2-20-15-51 14 25-13 38-6-40-22-154-35-1-8-81-23-46-4-30-14-25-2-52-26 28 3 39 15 64 2 155 28-60 3 30 11 64 0-16-3 46-13 33 2 7 5-5 6 10-2 19-14-13-9 16-6 0-15-16-14 25-6-22 8 16 13 1 9 16 5-18 8 27 4 64 6 156-6 24-5-24-1-2-11 66-13 140-5 11 1-12 6 32-3 23 12-15 12 5 10 56 6 53-16 33 5 2-7 13-3 24 10 35-3 68-18-25-11 21-1 12-9-42-8 43-5 7-6-7-11-78 16 60-33 15 8 12-9-31-4 46-27 39-11 11 3 13-11 21 4 30 21 9 20 22 14 51-24 51-3 70 12 92-24-5 4 24 5-20 3 16 11 27 1 21-9 39 3-14 10 1 9-18 4 41 12-50-2-2 8 23 9 74 4-21 13 7 3 273-23-1-4-67 2-37-7 7-3 127 5-36-18-6 0 12 10-24 4-5-8 5-6-35-1-4-8 10-3 45 5 59 26 112-8 26-13-55-9 87-13-28-12 43 8 31-5 26-13-17-2 38-7 169 13 140-8 61-22 4-9-14-23 6-4 53-9 7-25 15-10-24-18 12 1 23 17-1 24 31 12 52 5 184-11 49 11 14-7 8-15 51-10 15-15 46 2 23 16-21 22-21 2 17 12-1 12 140-14 8 6 124-2 146-26 51-18-17993-2 56-11 17-9-11 4 3-6 30-6 2-8 13 4-29 11 43-13-3-4 112-27 5-12-7-4 27-1-5-12 8-16-7-8 21-4 5-10 16 7 1-13 14 11-23 10 12 7-4 8-23 8 69-2-9-8 4-3 3 8 34-2-24 5 60-6 66-31-6-4 15 3 3-6 26-6-34-7-13-15-39 9 19-12-5-3-81 9 27-11-4-9-17-2 19-2 3-8-42-10 13-2-5-9 26-9-26 4-1-8-12-4-11 4 3 9-20-9-43 18-43 5-21 10 0 11-12 12-48 7-68-6-4 12-22 15 10-1 11 19-17-11-12 3-2 7-10-5 1-6-18 1-6-14 22-19-32-23 17991-1-65-22-39 6-43 18-27-2 35-2 9-7-58 5-76-14 76 11 14-10-10-6 62 10 3-17 12-7 18-4 9 7 24-26 2-9-14-4 14-9 3 7 6-10 21-8 3-5-7-4 16-11-23-23-91 14 2 9-16 0-3-6 10-5-132-37-45-5-24-16-14 3 2-7-25-8 0-5-90-31-12-24-19 5-18 19-20 8-38 0-62-10-47-27-7 6 11 25-64-19-6-13-26 12-16-9-17 7-14-8-9-9-2-20-57-43-9-18 22-18 13 11 28-7-23-28 2-21 23-7 4-22-25-9-11 9 21 14-18-1-10-5 2-7-22-9-18-29 19-37-24-12-42 1-35-18-12-20 9-33-22 6-42-17-13 7 6-8-5-25-20-29-68-42-11 21-8 56-12 18-28 117 8 44 15 34 41 27 7 8-9 14 4 3 28 0 11 11 31-1 46 26 32 30 96 52 15 15 82 23-7 5 22 16-10 6 20 42 20 9 30-5 10 6-49 10-54-7-16-33 12-10-9-7-11 7-23-2-82-45-29-6 10 19-30-3 26 47-37-9-19 10-105-12-139-92-8-16 42-3 9-5 0-9-35 2-22-7-33 7-27-15-25 5-50-7-10 10 57 7-46 17-43-3 9 3-51 11-29-7 7-8-20 3-3-8 11-1-12-5-23 8-37-8-49 10-25-14-24 12-84 0-78-13-76-43-18-24-89-43-48-41-124-65 32-13 47 2-6-34 6-8 18 2 5 10-6 8 26 5-16-9 25-8-29-20 35 3 28 18 3-7-16-15 10 1 12 17-2 21 33-5 19 4 84-49-10-14-17 3 21-12-6-20 17-13-6-13-21-15-21-41 5-36-8-8-4-48-13-27-37-27-40-41-12-26-33-36-90-72-37-43-57-29-42-12-43 9 1 22-23-11 4 10-39-34-23 2 7-7-8-11
2372 4043 50-3 12-8-49 6-78-16-8 7-54 2 127 12
2514 4046 71-12-140-16-11-3 15-7-30-3-87 10 63 11 59 0 8 15 52 5
3388 3812-320-46-54-16 11-5-38-8-3-6-22 4-10-11-25 1 4-14-43-10 6-8-6-5-22 4 11-9-45-18-82 8-35-5-8 6 3 3-22 11 44 10 35 23 40 4-28 6 46 17-35 8 38-1 16 7-2 6 38-1 23 16 41 10 70 12 33-1 13 10 89-2 74 7 154 31 47-3 23-12-2-6-57-17
2766 3665 55-5-15-20-20-2-16-11 6-16-11-14 58-42 58-19-24-7-44 7 15-6-6-2-136 13-17 3 12 2 3 8 24 2-38 11-4 3 5 7-80-2-19 14 7 15 52 11 15 18-18 5 40 8-6 13 78 10 26-4
4826 4054 67-19-37-4-5-4 20-11-12-4-165-12-118 18 65 13 22 9-33 0 38 12 90 12 32 0 36-10
4884 4008 17-7-18-13 47 15 67-11 6-3-14-8-5-15-32-1 44-17-24-6-94-1-138 13-29 16-58 5 96 30 135 3
5144 3963-23-21 27 11 42 4 33-13 34-3 10-11-30-13-177-7-68-12-28 4 37 15 20 21 27 1-5 7 10 10 27 11 33-4-4 6 11 3 35-7-11-2
7003 3791 38-9 8 16 25 9 194-30-67-25-60 11-6 9 12 14-32-1-11-2 6-13 46-22-32-7-25 9-86-8-29 6-29-15-50 7-58 26 17 1-1 20 22 1-7 10 32 8 36 4 57-19
7340 3769 82 2 7-9 112-4-12-12-76-7-146 21 15 18 16-3 2-6
7138 2720 11-13-3-17 20-42-7-51 32-83 45-82-33 30-48-2-26-56-1-17 33-47 13-2 5-20-7-17-8 27-35 7-25-39-13 27 11 34-4 22 11 22-16 36 14 41-4 54 7 29-24 26 4 2-7 8 0 17 10 26-2 27 16 8 19-3 9 23-18 19 21 6
-9000 3577 78 0 47-16-16-8-80-7-29 4 17994-1-54-8-6 14 60 21-17994 1
2645 3568 15-7-4-12-44 17 33 2
8402 2728-30 15 30-15
8073 3445-16 11-3 14 21 12 6-7-13-7 5-23
7458 3833-38-1 50 7-12-6
6898 3575-12-4-33 5 45-1
5385 3907-64 0 64 0
5624 3831 9-6-34 6 25 0
4827 3814-12-8-49 5 61 3
4814 3851-51 0 65 7-14-7
4476 3859-19 2 27 3-8-5
3733 3644-28 7 15 5 28-3-11-1-4-8
3775 3673-8-1 36 5-28-4
4177 3704-36 1 36-1
3501 3325-28 11 31-1-3-10
2503 4004-25 4 38 1-13-5
2571 3997-66 2 42 6 24-8
2538 4052-20 4 29-1-9-3
2774 4014-25-1 25 1
2721 4024-30 0 3 6 27-6
2985 3998-39 1 31 7 18-6-10-2
2931 4052 16-10-50-2-37 11 71 1
2513 3459-2-7-6 4-24-13-35-6-24 3-8 12 7 15 27 8 65-16
3169 4035-43 6 79 9 24 10 30-3 13-10-103-12
2898 4006-31 2-16 15 112-6-43-1-22-10
3108 4042-4-11-51-10-70 1-19 7 22 13 122 0
3057 4048-54 1 75 4-21-5
2676 4009-65 4 48 8 34-8-17-4
2854 4018-5-14-63 1 15 5 0 7 53 1
2891 4077 37-6-35-3 8-5-28-6-87 2-13 7 118 11
2736 4056 149-16-91-9-91 10 33 15
3183 4081-78 3 84-1-6-2
2915 4086-20 0 75 5-55-5
4634 3984-26 0-54 15 55 3 81-7-56-11
4578 4057-83 2 83-2
7051 3700-30-4-16 13 42 4 8-5-4-8
7109 3695 58-17 8-16-191 9 35 3 35 19 55 2
6797 3770-24 0 12 22 23-12-11-10
6810 3696-41 17 33-9 11-5-3-3
6897 2755 13-3-24-19-13 11-11-4 17 20 18-5
8460 3479-71 13 29 9 53-8-11-14
8182 2930-10-3 14 13 2 11 41 10 2-17-49-14
8333 2742-1-7-44 30 26 1-2-8 21-16
7741 2466-10 3 10 13 0-16
7796 2515-26-13-10 11 24 7 21 19-9-24
7600 2345-14-2 29 14-15-12
7484 2282-12-2 26 21 30 9-44-28
7430 2266-47-17-38-29 51 49 20-5 25 11 1-7-12-2
7310 2225 18-3-32-17-18-22-6 4 38 38
5669 3720-30-15-64 13 19 0 10 9 65-7
3813 3983 66-8-46 0-30 7 10 1
4001 4042-52 0 12 6 60-2-20-4
3534 3655-38-1 4 14 18 6 33 1 31-14-48-6
3882 3615-39 1 36 16 39-8-36-9
3975 3636-43 7 26 12 19-9-2-10
4109 3771-10-9-24 6 26 8 8-5
3023 3497-1-11-40 0-7 7-27 2-24 18 28 10 71-26
1048 2764-18-15 29-2 3 16
1062 2763 66-10 13-9-7-16 4-10
1138 2718-158 5
980 2723 19 23 27 4 19 14
1045 2764 3 0
1750 2287 23-21 56 4-9-17-46 2-20-15-18 0-32-19-16-1-16 8 9 17-3 10-53 15 58 27-3 8
1485 2263-7-21-26-4 3 11-10-3-16-59
1429 2187-75 21-43-8-36-16-129 8-3 5 8 7-16 8
1012 2305 44 9 44 61 44 22
1331 2413 18-5 55-59 8-17-8-52 7-7
2540 1239-2 33 12 27 13 9 14-13 3-42-9-20-8-3
-860 1643 25-5-16-5-9 10
-370 1859-22-9-38 6-20-4 9 20-3 50 11-1-28 1-2 11 23 21-17-17-17 3 5 27 27 39 8 32-4 47-6 3 5 9
-1389 1928-26 9 26-9
-1407 1923 4-2-20-1-5 6 21-3
-1282 1892 23 0-13-6-20 9 10-3
942 2476-14 18-47 12 4 9-14-2-27 8 6-9-18-7-22 16 11 8-7 4-14-2-50 20-1-7-9-1
740 2543 11 20-21 29 8 12-10 14 3 8-25 18 15 17-8 25
713 2686 16-4-1 9-17 3
711 2694 0 4
711 2698 98 17 19 13 64 13 46-7-16 3 20-19 38 5
1138 2718 30-8 6-13
1174 2697 22-59-37-24 24-12-3-26
6055 931 37-16 21 8-5-40 18-27-19-47-27-12 0-14-10-17 14-28 4-30 23-11-1 10 21 9 16-7 8-22 10 5 1 11 25-11-14-10 14-19-2-7 18-4-4-24-9 6 3 12-31 6-8 20-28 23-7-1 10-24-3-10-11 16-30 21-22-15-25 12-10-4-1 19 16 23-18 12 0-20-7-1-18 20-15 70 19-11 10 3 0 77 12 43 25 6
5866 422-5-4 6 18 94 88 4 25 13 17 6-41-24-22-21-7-17-33-56-41
6125 581 17-1 3-8 13 5-2-13-17-23-41-19 7 60-9 11 29-12
6157 453-29 21-8 17 23 13-2 21 8 19 14 6 15-11-20-46 8-29-9-11
6229 567 18 2 4-8 0-22 12-24-6-6-8 9 2-16-12 6 0 31-6 9-11-2-6 31 13-10
6262 626 15-16-2-30 12-27-25 4-10 10-6 11 4 10-28 20-7 20 47-2
6035 674 25-2 16-15 1-25-15-21-14 11-16 36-15 13 3 5 15-2
6300 466 10-2 5-16-8-18 11-6 5-14 6-48-19-19 0-28-19 52-7-4-15-29 10-11 4-24-16-19-5 23-16-9-42 26-5 30 11 20-27 21-8-1-6-20-14 15-13-9-2 10-9 2-24-41-12 7 17 43 34 11 9 16 17 11 21-13-3-20 20 9 10 19 17-2 6 21 14-6 4 8 14 0-1 37 26-22
6169 472 0 26 33 66-2-44-15-14-16-34
6058 304 12-7-26 1 14 6
6005 608 6 3 5-10-16-1-6 15 11-7
6230 489-24-9-15 11 26 17 12-7 1-12
6013 263-22-10 17 14 5-4
6105 321-7 0-6 12 11 4 13-7-11-9
6284 496-9 10 8 16 1-26
6096 677 10-4-6-13-8 6 4 11
6105 618-4-13-5 12 11 16-2-15
6164 643 4-8-20 20 16-12
6186 614 16-16 0-10-28 23-16-15 4 33 24-15
6218 682-9-5-7 6 9 21 10-10-3-12
6102 750-5-17-6 15 11 2
-3498-212-5-5-17 9-20-1-9-8-43-8-52-31-18-49 5-18-31-22 2-20-12-4-2-9 14-11-3-8 11-20 29-33-11-21 41-5 12-24 45 2 35 26-5-79 53 3
-3479-548 45-77-15-19-5-40 10-25-24-31 9-22-12-20 10-25 19-10-39-43 5-15
-3476-875-17-10 3-14-6-11-25-7
-3521-917-46 33-5 16-51 33-63 25-69 39-60 64-4 14 6 3 2 21-31 52-16 14-3 20-21 19-56 133-62 93-57 35-1 9 11 2 3 10-23 49 3 17 48 47
-4016-169 7-25-16-6 7-10-6-11 17 6 25-8 15-23 15-2 18 20 17 58 9-3 15 24 59 21 55 51 9 31 8-2-1 19-18 23 17 1
-3764-5 24-5 28-38 29-14 8-23 15-7 2-22 11-6 36 0 23 12 18-9 22 7 43-23-32-56 20-2 19-21
-2908-1008 17-42-7-55 51-9 25 10 10-9 20-2 11-19 10-64 17-2 23 9 19-11-19-77
-2731-1279-7-48-19-20-14-3-15-21-22 5-14-12-108 12-1 9 21 26 5 22 27 32-4 11-16 14-61 24-36 23-57 17-38 29-42 47
-3132-1112 18 59 0 25 26 46 88 17 46 1 45-27 1-17
7648-238-3-4-8 10-4 25-19 28-77 42 4 8 61-34 49-42 6-13-9-20
7596-215 10 4 14-6-2-24-19-13 5-19-28-5-15-18-37-17-41-2-66 32 5 9 70-2 13 25 4-25 28 0 29 28 18 4-4 34 16-5
7049-456 0 111-6 8 6 20 0 186
7049-131 127-41 27-18 21-1 64-50-1-29 91-33 12-13 2-17-44-9 11-27 47-36 23-48 31 1 3-23 38-9-13-6 6-11 49-11-21-3 10-11-16-7-28 15-100 15-37 34-3 16-16 5-30 44-76 26-19-10-24 15 14-24-21-3 5-10-55-6-16 6 46-14 13-14-1-10-36-18-21 7-54-2-8 5
7401-291-11 16 13-6-2-10
7554-501 11 3-3-12-14 5-9 20 15-16
7517-475-12 7 5 8 7-15
7555-437-5 11 6 5-1-16
7353-98 19-5-45-7 6 11 20 1
7522-133-14 0-10 9 13 5 10-4 1-10
7527-467 12-4 6-12-23 2 5 14
7632-448 16-5 0-7-22 10 6 2
7677-574 11-5-24 3-4 10 17-8
7179-432-19 11 19-11
7798-334-12-9-19 7-7 21-22 18-2 25 19-9 43-53
7732-272-5 16 5 5 0-21
-3869 433-5-8 14-26-17-21-11 7-7-24
-3895 361-26 42 14 16 19-12-17 18-6-5-9 5-1-7-5 13-28 19-21-1-12-19-36-19 22-36-21-11-20-3-11 34-10-14-12 5-11 21-26 9-27-1-5-11
-4144 404-7 13 8 6-3 14 10 9-11 7 0 19 7 8 12-1
-4128 479 11-19 8 0-3-8 23-4-6 9 27-18 62 22 27 19 75-18 35-29
3838 1783 14-28
3852 1755-22-18-44-12-71 13-17-5-8-14 9-7-4-8 18-7-14-11 9-11-8-16 15-9 3-12 15 0 1-13 28-6 4-8-38-20-2-32 6-7-37-30-5-17-21-8-22-43-30-16-24-40-53-13-20 16-43-45-2-19 32-12-2-29 8-11 19-2 20-63-16-8-11 9-35-13-51 8-3-18-28-5
3408 1193-2-5-28 6-13 15-6 29-24 5 0 18-19 19-9-5 16-3-84-7-6-6-30 11-25-2-3-7-96-1
3079 1260 13 51 30 17 36 5 7 25-27 5 0 49-43 15-53 66
3042 1493 82-23 54 5 27-5 104 22 7 6 1 42 24 23 32-1 14 5-8 8 29 15 22 0 14-8 20 15-2 25 13 29 39 17-20 32 59 2 2 17-7 7 33 33-2 18-17 29 51 31 89 4 25 10
3727 1851 30-2 14-12 18-2 10-16-3-17 13-11 19 3 10-11
2936 1011-4 6 12 17 4-8-12-15
2819 1249 13-26 24-24 83-23 33-43 19-8-1-14-66-91-13 1-2 8-16-17-7-28 5-33-50-13-22-39-45-7-21-40-50-2-49-18
2804 1303 17 15-6-35
569 2952-27 7-10 10-2 19-21-38-17-2-14 8 7-6-77-43-35-6-44 4 4 8-30 6-27 17 5 15 24-7 13 6-13-2-11 7 4 10 22 13-52-20-11 3 8 21 46 9-25 2 21 19 19 8 0-12 10 13 14 5-42-9-51-35 3 22 24 2-20 4-7 12 25 12-26-2-6 20 89 5 13-9 0 7 28 6-13 4 5 7-8-13-34 6-11-8-53-2-15 8-1 9 17 2-21 12 1 8 90 0-82 7 2 7 29 11 49 4-28-3 11 11 57-4 10 2-8 5 28 3-68-1 10 11 32 8 26 0 26-13-23 16 24 9-14 8 11 5 28 0 1-7 27 8 16-11 37 3-2 8 33 9-10 5 14 5-8 2-19-6 6-4-5-3-44-13-25 9 50 36 54 20-17-3 9 11 34 10 17-4 21 12-25-8-14 5 27 31 18 3-13 7 63 10-46-3-3 10 8 10 37 8-15 5 23 11 65 4-49 4 26 15 32-12 5 9-23 4 3 8-26-4 1 6 17 9 24-2-16 5 35 9 16-17-3 6 7 5-10 11 68 5-52 6 43 13 16 15 20 3-1 8 9 8 30-8-12 9 53 15-2-19 16 20 18 6 1-16-12-14 32 9-10 9 4 11 27-2 14 7 27-9-9 11-22 9 66 7 34-20 1 13 52 23-8 6 20 9 55-7-38-32 11-4 64 39 12-3-9-10 1-13 20 6 10 11 18 3-15 7 18 8 40-6-4-8-21-7 19-1-4-21 32 31 45-11 16 3 8-8 35-7 1-6-34-8-74 1 41-8 2-10 8-3 14 0 8 7 9-7 22 3
1448 3451-6 8 25 15-10 10-70 19-61-7-22-11-16-21-1-15-40-19-47 10-34-8-45 4-41 28-27-3 0-9-22 0
423 3183-9 1 26 5-17-6
1172 3541-31-14-23-1-18 7 72 8
1279 3557 28-5-41 0 13 5
1181 3528-17-13-18 4 35 9
1201 3528-10-2-8 8 15 1 6-2-3-5
694 3413 12-1-45-12 4 8 29 5
760 3447 10-8-9-8-42 5 33 9 0 5 8-3
988 3511 17-6-16-1-9 9 8-2
1039 3505-18 3 18 3 0-6
963 3503 17-2-41-22-36 1 31 9 23 23 6-9
562 3243-25 0 14 6 11-6
875 3480 29-10-6-10-57-6 8 3 1 11 18 1-6 5 13 6
788 3428 26 15 13-7-28-16-86-10 58 21 7 13-4 8 32 12-15-13 5-14-8-9
-448 3542-7 1 38 14 18-1-49-14
961 3720-21 4 19 2 2-6
1344 3932-24 7 30-4-6-3
1626 4006-52-1 107 6-55-5
1080 3930 22-1 13-18 58-3-17-8 89-12-105-24-19 2 13 12-81-6-9 6 39 18-31 7-26 13 2 5-17 3 69 6
1045 4012 69-10 9 18 27 4 16-3-10-12 64 9 123-10 14-5 3-8-60-14-18-11-85-10-62 6 8 5-137 3-22 6 55 7-103 1-23 8 30 6-47 5 71-1 10 2-18 9 29-6 2 5-9 7 6 1 58-12
839 3995 53-5 6-5-15-16 37 11 21-9-7-8 61-10 36 2 7-2-13-4 44-12-85-6-26-12-8-15-28-3-11-25-19-1-34-23 4-4-13-7 4-8-18-4-117 33-18 13 35 1 11 8 106 6-6 5-142-6-15 4-5 8 31-1-3 4 77 12 70 5-36 4 16 8-68-9-8 5 6 10-18-8-17 5-11-2-1-9 10-4-75-9-89 36 52 0-21 3-4 7 9 5-5 2-39-9-23 20 3 6-6 6 51 3 29-5-3 4 74 3 11-5-68-9 39 0 31-12 4 12 28 11 87-41-26 36 21 17 27-7
563 3931 43-19-50 11-28 22 20-3 15-11
937 4015-29-1 29 1
1452 3946 33-1-91-2 58 3
6332 1889-13 5-13-7-18 12-20-13-19 11 11 7-25 2 18 22 25 6-20 6 12 24-2 12-29 12-7-7-14 19
6218 2000 27 23 54 22 37 41 9 3 14-12 48-8 7 11-12 19 44 3 20 19 19 1 10 28 17-5 14-18
6534 2115-22-6-24-23-3-43-59-36-48-18-8-29 19-6 30-23
680 685 23-31
703 654 7-35 21-11-3-33-33-18-18-27-17-52-16-13-5-24-19-11-8-16-11-34-13-16 5-8-31-34-32 31-6-8-17 5-18-12-39-42-22-58
428 238-15 8 2-18-25-2-14 7-12-6-10 9 4-10-12-6-8 16 5-17-11-2-3 7-1-7-15-2 0 7-9-7-29 27-7 25 9 7-8-4-9 7 13 4-17 1-35 35-48 4 13 9-19-10-32-1
135 319 4 133 13 2 40 76-18 40 6 15
180 585 2 41 20 21 5 26 26 14 42 7 40-11 32-33 45 17 45-22 44-4 21 19 22 6 47 2 52-13 21 17 36 13
180 585-40 34-22-8 1-16
119 595-15 20 7 8-6 12-27-3-29 20 0 16 11 0-29 17-9 14-14 26 3 21
11 746 36 3 18 15 110 4 16 16 21 66-1 107
211 957 81 17 82 70 224 132
598 1176 76-17 37-28 38 19
749 1150 10-74 21-28-1-11 19-20-11-22-13-150-56-58-46-68 8-34
-4158 750-13-9 12-24-19-51 2-45-5 2 1 13-8-11 4-24-7-8 8-11-10-17 11-19
-4182 546-14-9-36 15-13-5-34 12-8-6
-4287 553-96 92 4 7 12-3
-4367 649 16 1 14 14-1 23 21 2 15 14 15-10 28 24 10 21 26-6 65 18
8656-2064 41 18-7-18 10 14 15-1-13-11 16 7-14-16 0-13 10-3-3-6-50-56-30-15 6-4-11-5 28-11 1-8-30 0 4 3-5 3-9-7-13 8 7-10-47-18-5-33-7 0 6-6-21-32 4-10-22-6-33-28-29-4-36 2-7 11-20 1-15 11-35-4-6 4 10 9-9-5-1 9-11-4 1 7 24 5-10 4 9 5-12 0 9 7-2 4 14-5 4 7-11 8 12 2-4 4 12 9 2-7 0 8 12 8 10-1-2 8 25 21 41 8 0 7 61 30-5 4 22 4 12 15 3-7-1 8 15 12 8 33 23 13 17 39 18 12 15 0-10-1-2-6 14-9 7-22
8407-2343-5-4 10-6-36-10 14 18-1 10 18-8
8663-1747 9 5 33-15 2-8 9 3 13-27-9-1 20-25-4-27 29-8 4-10 8 0-4 36 16-13 16-45 59-18 36 22 27-7-14-43-14-8-4-26-19 8-22-7-7-17 8-6-13-24-43-53-34-20-7 10-14 0-1 10-11-4 26 34 3 21-10 12-54 23-9 9 4 9 36 15 18 52-17 35 8-6 9 7-7 7-15 0-15 22 11-5 0 18-18 6-6 11 12-21-5-2-32 41 10 11-15-6-10 12 4 9-25 28 17 2-4-6 15-20
8311-2538-17-2 11 13 8-1-2-10
-8809-2187-10-6-6 5 8-14-9-4-6 4 4 9-14 2 33 4
300 2538-18 4 8 16-29 6-9 9-41-4
211 2569-38 8 41-3-14 6 9 1-12 9 27 25 14 32 65 23 38 2 19-8
360 2664-8-31-17-3 17-11-16-15 4-6-43-8 13-17-4-16-13-5 9-7-2-7
211 2569-16-9-23 2-5 7
167 2569 44 0
-3438 603-20 16 20-16
4405 1394-6-37 9-21-8-17-36-1-13 10-16-6-45 8-8 11-20-3-28 14-4 13-25 10-41-6-27 7-3 8-41 9-89 49 16 44 30 22
4050 1508 9-6 12 15 31-1 9-13 47-22 21-22 26 2 6-15 29-18 18 2-2-14 28-2 16-18 7 10 13-10 11 9 26-13 48 2
1263-890-17-1-20-12-8 4-38-24-19 23-112-16 0-182-50-2 0-139
822-1431-36 33-22 34-22 78 0 34-17 42-2 88-50 76-50 100-34 46-2 37
587-863 40 2 28 13 19-4 27-18 219 0 28-20 89-11 132 19
1660-701 22-27 35 8 8-10 2-35-15-29 10-20 32-28 1-14 9 0-6 28 10 20 20 5 7 58-33 50-34 27-10 60 13 27 17 2
2023-523 8-10-11-34 9-65-7-17 6 0 4-78 7 6 3-15-14-38-29-37-10-4 3-7-38-27-78-30-29-21-27-38-7 2-1-7-19-7-46-41-15 6 6-6-3-33 14-16 14-43 3-37 7 14 4-9 2-33-10-42 8-1-2-12-25-30-83-30-27-19-11-18 13-13 6 9-4-39
-111 1755 21-17 6-72 12-27 19-16-9-6 1-12-82-1-8-12-40-9-1-23 11-7-2-5-65-25-24-25-52-7-8-13-26 3-75-45-1-53
-434 1383-7 0 1-27-31-2-20-12-47 9-32-7 3-12-19-27-17-5-19-58-31-22-13-21-29-14-16-69-21-23-6-18-112-4
-850 1071 4 24 28 35 29 60-10-6 4 8 50 44 5 34 19 43 42 24 32 59 69 19 68 54 27 36 0 17-11 14 4 35 23 33 5 25 36 34 81 35 27 41 22 50 32 6 1-14 32-21 61 1 21 9 7-14 31-1
-434 1383 0-19
-434 1364 0-64-167 0 0-127-30-9-27-23 7-74-197-1-4-26
-852 1040 2 31
1017 2141-14-3 0-11
1003 2127-14-3-6 7-19-22 3-16
967 2093-41 29
926 2122-4 6
922 2128 5 4-4 18 20 17 8-2-3 11 12 1
5834 2491-43-62-2-17-13-5 5-13 14-10 17 9 26 0 30-10 20 16 37 0 61-41 7-24-26-3-25 7-55-12-15 3-5-11-39-4-18-27-26-14-56-3-49-33-44 7-14 9-26 0-25-35 27-32-47-19-30-28-53-17-128-8-90-34-24 3 0 11-39-6-78 20-33 19-215 12-41-3-26 28-17 34-10 4 1 12-31 4-60 29-132 13-11 16 17 26-5 12 6 14-34 55-43 18-22-1-23 11-3 8-27 9 4 7-16 9 7 6-3 8
369 2187 3 0
-4857 1298-26-79-9-94 4-20 22-27-4-14 1 14-19 23 29-65 36-43 9-26 25-27-7 1 37-6 36-27 79 15 22 11 23 2 3-10 19-3 13 8-8 14 35 23 2 19 10 10 7 53 27 14 68 14 60-6 4 5-9 2 16 1 11-9 2-13-32-46-2-21-11-9 13-3-12-11 8-4-13-42-6-8-9 12 1 16-13-18
-4415 924-11-2-14-24-17 0-1-7
-4458 891-91 0-1-28-21 0 50-43-1-16-65 0-23-40 6-10-8-27
-4612 727-46 45-61 42 19-13-33 9 4 6-11-2-3 7-8-7 11-4-71-25-15-2-62 15-50 29-47 9-57 24-54 38-76 18-24 25-51 25-37 53 21 10-13 11 14 16 2 19-22 24-8 32-57 63-41 30 12-6 0 6-22 7-16 23 12-1-37 24-12-3 7 13-21-5-6 20 11 13 4-2-8 14-10 9-14-1-9 19-22 8-11 15 3 16-29 5-52 53-45 82 1 26-29 8-7 11-9 3-10-6-40 20 8-13-5-24 16-57 40-33 13-22 15-6 5-14 11-5 7-30 20-15 24-42 8-5-5 15 11-9 14-46 31-46 1-26 15-12 5 12 42-43-4-16-25-13-18 35-86 62 0 37-15 32-32 18-7 18-22-11-42 25-5 11-23 15-2 5 37 2 12-10-10 13 11 24-45 47-37 20-19 52-12 9-2 11-16 18 2 15-11 7-14 27
-4347 1015-2 9 11 5-9-14
-5658 1453-17 12-4 14 19-14 2-12
-5610 1450-4-12-12 4 5 18 7 2 4-12
-5603 1227-12 12 7 25-2-22 7-15
2883-1024-17 3 17 22 7-12-7-13
-827 792 4 38 22 64-10 56-15 18 11 8-7-2 12 37-11 22-10-1-15 24-6-16
-434 1364 193-114
-241 1250-89 0 49-422 13-14-8-39-183 0-8 1-1 8-4-11-63-2-12-13-28 24-13-11-9-27-8-7-9 3
-241 1250 298-195 1-14 30-24 69-24 6-22-8-13 8-7 48 6
11 746-49 6-61-29-7-15-23 3-15-13-4-16-14 1-3-19-11-5-21 11-11-5-8-9 5-16-13-6 3-17-43-26 1-22-12-17-1-31
-276 521-34-9-3 24-8-8-12 5-2-16-12 0-4-10-24 15-25-14
-400 508-13 16-4 26-16 0 13 18-21 16-11 36-18 3 2-10-20-12-26 10-21-16-12 15-18-9-10 9 6 10
5105 312 12-3 38-39 16-27 1-96 19-18 22-60-14 12 1-8-26-7-6 11-103 67 0 19-29 35-19 101-11 23
5879 209-24 8-63 0-13-20-6-45-17-7 3-19-20-13 3-14-16-26-31-1-14-10-31 10-3 6-23 0-15-6-5-15-14-6-35 2-30-10-42 38-6 14 5 6
5482 101 11-13 68-18-9 12 11 25-3 12 12 0 4 18 73 21 47 54 7 18
5703 230 30-28 9 18-5 16 14 9
5751 245 4-25 9-2-7 27
5757 245 21 10-7 16 9 9 14 1 44 68 1-19 22 17 4-13 20-17-10-23 25 9 6-10-7-8 19 5 45-25-17-14-33-2-4-8 18-22-27-6-15 4-6-8
2477-622 20-32 15-83 10-20-2-24-11-17-14 25-12-3 9-48-20-38-4-55-109-322-22-19-29-4-33-16-19 1-54 27-18 35 1 44-22 52 12 51 15 9 30 63 2 25-20 57-3 44 22 35 3 24 21 2 16 12 19-3 5 9 23 4 12-9-3 10 7 10 23 15 8-11 0 15 13 19 5 2 1-14 15 18 9-2-9 15 11 21-3 15 16-3 27 23 6 21-7 18 21 20 17-18
2497-845-6-9 10 19-4-10
1117 2116 33-29-4-20
1146 2067-16-10-30 0-21-14-31 0
1048 2043-13 3-11 18 4 30
1028 2094 8 0 3 10 39 8
306 2506 4-10 14-6-7-17
317 2473-27 4
290 2477 4 5-7 14 12 12 7-2
1045 2764 11 17-8-17
1062 2763-10 41
1052 2804 52 16 102-7 36 8 11-11 30-5 47-22
1330 2783-7-16 16-3-50-22-12-25 10-9-11 0-3 7-57-20-42 2
476 2364 3-11
575 1659 39-16 50 3 95-26 26-49 106-25 65-33 30 11 20 24-10 43 10 20 25 18 51 18 27-1 45-15 1-14 9-6 80-12 14-16
1258 1583-15-16 6-28-14-29 14-51 0-359
1199 975-400 197-50-22
598 1176-23 40-62 14-13 37-28 36 3 14 19 15-7 35 9 22-6 70-24 47 10 5
-514 424 25 3 13-10 8-32-5-14 17-10 11 2 12 21 9-6
-424 378 9-29-15-24 36-13 4-13 17-7-4-74
-377 218-80 35-57 51-21 9-40 32
1793 1672-22-18-16 0
1755 1654 27 58 17 19
1052 2804 2 37 32 38 42 7 36-32 18-5 37 14-3 31
1216 2894 48 8 59-25 45-1
1407 2807-28-17-26 2-23-9
5376 735-29-19-22 13-14-5-12-7 4-21-26 12-10-3-8 12
5006 1016 6 21 19 6-5 3 9 17 22 15
5057 1078 5-18 28 1-3 30-11 22 11 12 19-6
3547 2112-2 5 18 20 25 4 87-21-4 10 7 20 32 12 58-20 81 7 107-10 15-15 25-3 15-11
4011 2110 0-8-89-31-16-17-61-3-29-33-32-3-8 16-34-7 0-8-42-14-8-12 3-11-13-7
2414 1481-10 9 5 9 8-10-3-8
2327 1455 30 45 25 5 17-6
2399 1499 8-20-9 2-12-11 17-2 19-41
1028 2094-4 17-21 16
-7867 93 8-6-20 8 7-3 0 9 5-8
1763 275 3-7 21-1 1-27 13-17 44-2 59-39 71-9 17 20 46 21 19-16 37 1
2077-85-14-12-18-4 0-13-13-13-21-7-5-29-31-61-14-11
2625 2089 5 49-35 5-14 15-16 1 0 15-23 36-25 6-4 7 7 8 57-4-26 19 20 22 89-1-21 12 18 31-4 33-29 7-17-9-48 15-65-26-27-4-5-9
4366 2454-26-2-12-26-40-7-12-23 7-33-9-10-35-11-6 7-82 10-35-79 15-9-5-15-33 3-8 8-91-23 30-8-6-8 0-23 21-47-19-6 7-8-17-7 1-27
1939 1669 13-54 10 3 3-6-8-6
1748 1468 1 10
1749 1478 24 96
1773 1574 5 46
1778 1620 1 12 10 5
6917 1891-6 0 2 13 12 12-2-12 6-1-12-12
6747 1714-14 1 17 12-3-13
6548 1520-4 2 9 19-5-21
6504 1611-6 1 2 14 8 1-4-16
6469 1718-6 1 10 15-4-16
7191 2206 45-10 33 20-12-33 10-18 25 4-46-19-47-6-27-23-10-21-69 29-44-12-25 11-8-13 42-25-25 1-14-15-17-2 3 22-13 18 1 15 29 19-2 17 37-6 12 5 1 18 18 42-9 34 4 12 14 5 47-42 47-27
6559 1680 26 0-8-16 18-1 5-17-17-23-16-53-13 2 1-9-21-12 5 34-11-7 1-19-22 11 9 10-6 25 22 26-7 2 2 9-15 17-6-4 3-12 7 0 1-8-14 4-15-10-4 24 16-10-21 19 57 34 12-2 11-14
6718 1713 14-2 5-20-18-11-10-18-27 14-18-8-24-30-15 8-4 26-19-5 30 17 15 21 13-8 19 4 1 11 17 5 21-4
7061 2069 12 1-2-34 19-21 9-44-26-51-18-3-7-10 2-51-21-44 15-26-21-10-5-17-22-14-6 3 1 17 14 14-13 4-9-13 1-13-21 7-18-33-7 4 7 16-9 5-27-26-56-1 11 10-16 3-2-7-6 18-13-19 17-12-1-6-26-7-21-31-11-4-12 4-17 22-1 14 16 17-34 7-80-23-41 1-9-24-20 11-41-4 4 21 18 1 78 55 53-1 60 12 7-11 29 4 10 8-2 18 32 31 7 32 24 7-21-20 6-14 11-4 54 23 28 31 26 15 20 37 13 37-3 12-13 3 14 17-3 21 16 8 5 19 12-1 6-19 19 3 6 16-22-3 0 6 7 12 14-6
6413 1333-20-11-3-14-7-3 12 30 10-2 8 11 0-11
6473 1410-5-4-10 7 26 13-11-16
-3863 923 45-15 7-12-32 3-17-13-28 8-29 20 23 12 31-3
523 2343 27-4 12 10 46 5 11-19 66-9
686 2279-5 10-21 0-46-17-3-10 15-14-14-12 8-25 58-32 22-45 27-22 31-15 50-2-13-19 103-43 25-22-6-20-13 6-11 17-34 11-13-2-20-36 30-18 3-19-28-10-4-20-24-23-21 5 12 29 16 7 0 9-25 52-38 13 0 11-9 10-21-3 6 6-21 5-15 21-35 1-70 51-25 6 1 7-32 21-17 49-71 24-38-27-25-6
375 2188 7 20-16-1-21 10 5 24-18 12 25 16-17 18 11 9
779 1911-24-38 10-20-9-19-31 6-18 15-75 25-10 11 15 18 8-7 23 7 21-10 90 12
482 2044 8-19-8-12-4-55-25 4-5-14-16-2-11 14 6 32-7 4 4 19-15 18 1 11 25 1 26 18 21-19
1778 1620-18 7-7-4-5-31 12-4-16-18 29 4
1749 1478-4-4
1745 1474-33 86
1712 1560 12 19
1724 1579 31 75
1712 1560-2 6
1710 1566 14 13
-311 2704 3-3-9-4 16-51-22-29 7-5-28-4-4 4-55-21-17 3 0-8-45-11-27-1 16 10-30-4 26 14-37-4 22 16-23 4 29 3-6 7 13 7 43 7-11 4-46-9 20 10 11 16 19 5-59 11-1 6 20 3-9 6 16 4-17 3 3 12-12 3 2 5 76-1-4 5 24 15-31 2 19 10 5 13 31 6 5-7-5-7 9 3-2 10 8 6 20-6-13-7
2238 1857 30-56 46-12-14-9 7-24-23-16-2-11-7 0 2-18-7-12 31-28 5-23 63-27 22-31-7-40 17 0 0-27 26-25
2427 1498-28 1
2809 1346-11-11-33-3 23 9 0 6 26 1-5-2
3063 1781-9-38-18-17 8-10-12-1-8-10 2-23 20-7-18-22 13-41 0-37 42-6 8-23-49-53
3079 1260-8-5-38 9-7 8-6-6-47 8-21-3-85 19-18 55-8 9-23 6-80-35-53 11-50 30-11 15-44 12-16 14-20 46-10 4-1 14-29 39-26-9-28 18 11 5-11 1-4-19-19-8
2241 1983 33-33 32-6
2306 1944 18 1
2324 1945 76 39 16-14-11-8 10-11-15-8 30-22 13 1
2443 1922 11-39 52-13 21-19 29-14 54-6 78 16 8 0-12-4 14-2-2 26
4874 73 23-24-6-21-37 43 20 2
4958-89-17 8-11 21 4 12 13 0 16-33-5-8
5832-431-3-13-36 5 11 2-1 15 17 12 16-7-4-14
5772-408 13-12-28-22-4 13-22 10-8 11 35 5 14-5
5302-83 16-40 23-6-10-16 2-9-33 13-11 32-32 7 16 23 6 3 6-11 1 10 10 2 6-8
6159-228 1-13-7 4-4-20 10-10-11-3-7-14-9 1-3 9 9 13 5 30 11 12 5-9
6132-263-4-6-14 3 5 28 16 7-3-32
5416 184-11 1 7 6-12 8 12 12 8-12-4-15
5410-150-7-11-10 7-12-6 2 32 28-7-1-15
6769-33 26-3 24-19-23-4-9 18-5-3-13 11
6774-80 71-10-34-5-37 15
6541 0 23-8 3-7-17-3-19 14 14-13-7-5-3 7-8-3-15 8 29 10
6423 103-8-1-4 13 19 15 1-19-8-8
6408-83-38 1 12 15 26-16
6303-123-7 24 7-24
6301-89 16-2-43-6-5 5 32 3
6248-85 11-1 7-8-45-6-5 7 5 10 27-2
6566-400-10 0 1 16 25 28 3-16-19-28
6340-383-16-15-34-1 9 16 31 4 10-4
6229-407 23-2 5-7-38-5 2 12 8 2
6550-66-11 3-5 15 18 2-2-20
4825 261 52-1 35-39 3-16 72-46 39-50 18-12-3 15 11 1 22-28 31-17 15-26 32-13-2-8-23-10 40 15 17-12 5-12-18-12 1-19 14-15 33-10 7-37 16-14-9-25 16 11 21 0 32-36-10-26 2-69-7-41-20 14-13-10-22 11-2-19-38 41-65 46-21 28-27 22-35 46-29 71-32 43-25 16-28 75-45 25-5 24-32 37-26 12-43 42-19 31 1 14 20 2 44-19
6139-431-87-16-25 7-32-3-5 8 4 14 37 9 41-17 26 6 18-8 26 16 4 4-8 2 8 4 4-11-11-15
6001-469 27-17 12-19-18-10-9 3-33 23-26 4-6 9 17 8 36-1
5912-416 19 2 5-7 10 6 11-18-33-10-5 9-9-8-57-13-14 5 3 23 16 9 20-3 20-15 14 6-21 13-3 10 18 1 6-10
6245 50-24-26-33-9-25 1-13 9-121 1-19-13-9-23 2-18 30-41 25 2 21 26 20-6 15 9 30 0-3 5 17 4 14-10-3-11-24 5-32-33-30-17-15 1 47-51 5-15-7-21 22-23 7 1 2-17-38-7-4-15-23 4-5 9 7 24-36 29 8 38-20 5-20-14 9-38-8-72 8-23-44-1-10 15 13 64-8 26-27 2-7 38 16 12 11 28 0 26 9 25 11 11 6-9-6 39 27 53 17-6 13 20 11 3 26-13 42-2 20-9 11 5 39-5 64 42 6-9-17-25
5369-300 14-11 34-3 17-26 87-7 21 26 17-13 18 2 50-14 13-19 0-13 11-5 52 1 18-8-2-30 10-18-66 24-29-6-59 5-111 30-68-1-32 12-41 6 3 15-16 7-47 4 26 19 15 27 37-9 11 10 17-5
5879 209-6-5 16-20-36-3 14-10 1-11 13-7-3-7 25-30-14-15 60-52-22-8-31 14 2-11-11-8-11-24 2-51-32-22-9 9 1-14-24-23 7 0 2-7-7-11 12-8-2-11-10-2 0-17-8-2 5-9-15-24-63-28-9 39-9-3 0 10-32-11-4 13-14-2-15 15-3-12-11-7-24 0-21-12-8 34-39-10-1 9-10-6-6 6-16-3-8 48-7 7 1 29-10 13-26 11 6 8-13 12 7 22-16 16-1 28 11 17-6-1 3 13 15 21 13 5
6387 42 7 0 17 28 23 9 1-24-22-18 32-26-46 13-5-9 5-27 22-33-19 10-17 23-5 54-9 15 11 35 20 18-8-18 7-7 0-18-18-16 4-9
6488-143 41-14 14-22-3-14-48 27-16 0-3-7-30 11-17-10-19 14-12-17-1 14 16 18 78 0
6343-154 18-16 1-12-28-9-31 20 1 16 39 1
6253-476-32-31-34-10-7 4 6 9-6 6 3 13 19 18
6222-459 24 12
6737-285-1-30-14-2-14 14 9 11-7 7 19 14 8-14
6727-322-11-20-11 0 1 33 21-13
6927-414-12-6-33 1 22 41 34 8 11-15-22-29
7049-456-50 48 7 12-9-9-28-4-7 10-17-13 9 33-17 16 22 4-29 12 13 4-21 26-7 20 4 5-9 2 7 6-13-1-1 12-39 26-65 20-39 4-26 19 10 7-45 6-15 17 8 21-16-18-6-24-8-8-16 0-8 38-39 26 13 5 24-5 24 17 25-9 10 11-6 5 7 10-81-7-14 12-5 22-46 9 13 26 57 25 23-3 31-15 25-1 14-31-8-18 5-29 13-27 5 17 18-37 17-6 11 1 19 17 26 36 35 9 2 13 34 18 100-43 59-14
6945-419-17 4 12 6 5-10
5085 104 1-15-11-2-4 14 14 3
5121 50-7 4-1 16 9-8-1-12
5125 73 0-6-24 13 24-7
5151 37-26 6 0 11 26-17
5158 44-23 9 1 5 22-14
5229 61 0-19-7 11-9-2 16 10
5239-9 11-5-28 5 5 10 12-10
5224-17 6-6-12-10-5 10 11 6
5485-59-12-5 1 15 13-3-2-7
5692-355-36-6-20 7 17 10 51-4-12-7
6378-16 6-7-4-8 12-11-19 2-8 15 1 8 12 1
6646-295-4-4 14 34-10-30
6414-184-18-1 20 9-2-8
6341 202-6 2 3 23 8-12-5-13
6543-416-4-1 12 12 8-2-16-9
6518-85 3-14-9-3-25 9 31 8
5021-159 2-7-13 27 13-11-2-9
4992-117-12 4-1 12 13-16
4923-27-8 0 6 16-5 11 11-13-4-14
4823 118-33 15-4 8 9 3 28-26
6102-272-12 9 6 9 6-18
6161-59 1-10 10 7 4-10-12 0-5-9-1 16-14-14 1 20 16 0
6026-315-2-8 0 34 2-26
5815-193-10-10-4 22 12 18 2-30
6148-545-7 0 1 7 27 14 2-9-23-12
6214-416-7-11-11 5 16 12 2-6
6196-414-18-14-16 1 12 11-5 2 27 0
6545-39-25-7 25 7
3852 1755 38 20
3890 1775 12-1-1-11 15-33 32-15-12-14 4-26 17-16 4-34-15-7-11 12-16-4 18-28 0-32 18 4 20-20 32-10 3-12 40-20
4405 1394 24 11 11-5-3-24 8-10
4445 1366-8-7 6-11 38-12 36 8 20-5 66 5 1 21-5 8-19 5 2 10
4582 1388 45 6 36 37 25 5 43 30 38-14 33 20 16-10-12-8 1-8 15 7 7-15-15-17 16 2 36-12
4866 1411 1-14-23-18 11-23-18 11-27-4-54-33 1-28-28-36 6-14-29-58-40 9 4-27-2-22-10-2-4-16 4-24-10-12-14 7-5-8
4629 1099-17 85-16 0-8-31-7-4-9 11-6-5-8 28 10 22 26 5 11 10 6 24 12 3-20 11-81 0-30 7-1 32-7 14-7-11-9 0-17 21-3-8-7 0-23 15 4-10-18-24 44-31-25-4-22-28 35-17-8-30 8-21 10-4-3-7 10-47
4453 1105-6-8 6-14-10 4-6-8-5 27-3-23-15 5-8-6 4 25-13 12 11-13-11-15-42-16-12-13 6-27-11-19-19-16-7 3-1-8-32-10-4 9-13-6-3-8 13 1-33-25-34-41-87-60-5-27-25-12-24 1-15-29-17 7-17-9-12-32 12-80-7 12-5-6 14-12-6-33-18-36-8-33 7-3 0-47-26-3-19-35 4-11 20-7-22 3-28-8-11-10-7-26-27-15-23 12-25 29-12 28-4 23 11-19-6 19-31 72-39 60-28 97-21 29-6 29-8 2-17 38-23 109 6 19-1 7-7-9-2 5 1 11 8-1-10 4-6 24 12 42-14 35 6 5-6-1 25 15-29-3 8 14-9 0 2 9 12 4-31 2 5-10-12-13 11-14-12-19-50-21-27 5-75 73 4 7 11-8 45 15 16 25-42-16-21 4-30 18-11 19 18 14-27-13-4 13
4695 342-4-5-8 14 8 11 4-20
4625 528-7-1 0 11 8 7-1-17
4636 577-9 17 12 17 4 57 10 9 0-16-9-14 6-20-13-27-1-23
-777 3311 47 8-26-14 21-4-6-13 21 1 4-5-8-5 43-3-9-8 11-15-14-3-9-13-17 0-12-16-101-28-59-7-6-9-36-7-77 8-15 6 4 6-12-3-25 10-75-6-2 13 32 0 30 15-30-3 8 4-3 6 18 5-28-4-15 13-68-3-10 6 106 9 6 7-36 1 33 12-53 7-50-9-29 6 31 1-12 12 41-1-28 4 16 2-13 7 17 0-8 4 7 4 51-14 0 8-25 8 23 2-32 4 11 5 24 0 51-21-6-3 10-3-3-8-14-1 26-23 17 19 17-3 5 23 8 3 36-17 5 16 27 5 35-22-8 21 37-10 20 12 34 0-3 12 15 4 13 0 22-15
945 2297-27-9-28 2-64 35
805 2343 18 7-1 20 12 7-13 7 32 1 4 15
-4367 649-7 19-17 2
-4391 670 1 25-18 4-16-6-29 23-15 5
-4468 721 9 9 0 22 48 34
-4411 786 26 10 40-8 27 1 19 12 25-6 25 4 36-8 25-21-11 6-6-6 30-9-7 7 24-18
-3589 986 7-28-8-9 3-12-13-7 12-13 0-15
-3588 902-15 9-41-3-25 5-25-11-30 20 13 11 71-11 21 7-22 25 6 18-35 11 0 7 26 6 55-10
-3640 939-24 9 24-9
-3001 427 41-23 35-34-9-50 13 23 22-4 38-30 1-32
-2824 97-42 1-36-22-15 3-9-15-13-4-22 9-26 25-1 20-12 20 7 45 16 18-8 22-22 8 8 27-8 8-30-2
-686 634 1-18-12-5 10-10 0-14-47-12-18-28
-752 547-1 10-8-5-9 9 2 9-6 0 20 10-21 6 21 12-43-9 1 8-20 6 4 9-24 6
-665 452-7 19-13 6 1 19-37 16-9 26-4-4-10 14-7-8-1 7
-400 508-8-9 1-24 12-4-1-12 7-5-9-15 12-7 2-12-28 3-1-10 13-9-12-26-12 0
-4458 891-4-96 17 0
-4445 795 15-7 0 10 19-12
-4468 721-11-1 2-8-25-17-3-8
-4505 687-64 12-43 28
1031 1919 7-15-20 5 10 15 3-5
1044 1890 6-5-9-2-10 10 13-3
1004 1972-10 1-12 15 14 1-4-6 12-11
1171 1948 35-16 8-21 14-4 1-6-11 0-16 19-19 2-20 18-20 3 20 9 8-4
1359 1773-5 7 7 11-2-18
1347 1836 21 7-21-7
1341 1891 12-5-24 0 12 5
1250 1888-15 10 13-3 2-7
1305 1911-10 1 5 6-8 11 16-2-3-16
1321 1966 6-16-19 1 6 9-10-5-12 5 16 9 13-3
1272 1999-4-9-15 3 0 7 19-1
1392 1796-6 2 0 11 26 13-8-19-12-7
1193 1777 15 3-3-5 11-7 71-1 3-11 26 10-8-15-68-4-17 11-43 5-1 14 8 6 6-6
1302 2036-47 14-67-13 5-16 18-5 6-9-31 9 12-10-1-8-26 15 10-17-36 24 1 10-15-5-1-23 36-43-8-4 0 8-12 2-2-6 9-7-24-9 34-10 38-26 0-23-26 18-23-8 22-22-16-5-22 10 22-55-22 18-15-16-17 27-9-14-16 17 5 15-28 26 14 15 13-1 8 7 55-18 12 11-37 13-47-6-7 8-8-7-21 27 18 1 0 6-20 1-36 33
1000 1985 12-1 7 6-4 9 18 7 18 25-3 12
1146 2067 78 11 39-16 33 4 12 6-4 13 12 1
59 304-12-13-34-3-113-50-56 16
-156 254 2 2
-154 256 3 1
-151 257 10 1 3 14-12 14-12 54 23 57 14 13-12 42 2 22
-135 474-11 56 4 20 111-4 16 12 11-2
381 2380 0 28 26 41-70 9-20 15
306 2506 12 10-1 7-17 15
360 2664-6 10 10 10 36 1 5-12 7-1 5 8 8-10 6 24 29-1 29-15-40 18-4 17-13 2 16 12-14 18
434 2745 53-4
487 2741 14-7-8-10 58-5-8-19 27-3 59 26 57-15 7-15 20-7
740 2543-24 9 2-7-71-25-20 0-13-11-9 6 21-20-7-8 15-16 57-33
691 2438-5-11-12 2-5-11-31-13 10-10-3-9 8-3-2-9-41 12-58-16-30 8-13-14-10 11-23 1
686 2719-1-5-17-2-10 6 1 9 12 8 15-16
711 2694-15 0-5 12 20-8
415 2739 5 14-1-8 13 0-17-6
2076 2076 12 23-14 34-75 38
2322 2095-13-12 25-19-7-10-63 18-14-7
2250 2065-78-10
-838 653-3 14 8 7 12-11 50 10-47-6-10 12
665 108-6-44 50 5 13-24-6-14-19-13-4-28 31-19-5-65-9-24-10-7-13 18-14-13-23 4-19 25-9-5 0-21-42 0-3-25 20-24-3-17-19 7-19-20
556-196-70 73 17-4-22 9-16 23 9 0-11 4-11 26 14-17 9 4-10 2 2 10-14 1-18 35 12-4 18 16 3 35 22-15 10 8-23 5-11 13 9 5 6-4-1 23
480 52 87-2-1 58
566 108 1 7 11 0 87-7
474 2140 4-32-19-39-19 10 4 6-13 12 4 8-7 13 13 12 25 6 2 15 6-11
375 2188-3-1
369 2187-40-27-23-6-53 18-17-3-40 9-33-18-10-14 8-24
85 2125 0 5-14 0
-90 2170 16 8 12 50 8 7-8-2 8 44 27-27-13 23-20 13 8 1-5 29-32 10-14 15 2 11-9 6 9 6 14-3-38 5 4 8-18 2 0 5-77 10-18 11 18 6-13 6 17 1-24 3 0 9 74 15 27-15 13 5 22-3 5 6 26-2-9 7-1 20-14 24 30 0 6-15 49-4 29 7-15 3 3 10 53 15 18 13 4 31 42 11
126 2555 12-17 17 1 29-24 25-3-2-13 20-1 14 10 2-19 32-13 15 1
2790-1067-22 3-6 11 4 8 17 0 9-12-2-10
-3041 725-12-2 2 7-10 12 15-4 5-13
-3066 812-10-1 2 14 15-12-7-1
-3080 800-8 3 1 15 9-4-2-14
-2708 268 16 21 47-18 30-24-1-8 5 4 8-7 3-18 9 14 8-29
-2583 203-62-92-43 7-18-12-25 10
-7466-884 7-9-20 6-3 9 13 2 3-8
8210-1012 50-26 23-25 64-42 2-11-26 3-77 49-37 40-6 17 7-5
8401-1072 6 0-1-9-8-1-7 12 10-2
8370-1058-16 8 6 10-7 4 12-1 5-21
3459-2455 21 6 2-7-12-3 7-4 39 10 12-7-9-12-31 0 27-7-9-6-48 9-17-9 3 27-6 5 12 20 7-10-4-11 6-1
999 3018 14-5-11-8-15 0-3 8 15 5
1390 3027-63-6 2 10-10-10-21 3 4-7-14-4-115-14-22-8 9 10-14 10-23-10 6 18-57 11-4 18 12 32-17 19 4 15-12 17 19 21 9 0-6 8 39 6-4 6 15 10 53 20 48 38 36 3-3 5 8 2-6 7 4 17-33 10-3 9-23-3
1242 3250-13 2 21 0-8-2
9000-808-22-24 0-5 19 11-1-11-36 1-25-13-10 10 4 8 71 23
8914-869 16-14 3-21-35-9-32 9-3 11 12 16 39 8
8924-949-26-7 26 7
9000-827-18000 3 18000-3
1826 713 25 1 12 9 16-16 15 36 28-22 29 10 9-7 47-1 34-17 78-83
2119 623-29-39 0-35 56 1
1216 2894 10 24-20-5-18 5-12 15 8 6-12 7 3 14 44 14 53 2 3 6 74-9 52 1
1131 2931 35-8-47-12-19-14 9 11-15 5 5 6-6 6 38 6
1146 2941-19-7-6 9-18 4 29 7 13-4 1-9
1930 900 22-46 13-58 24-40 4 18 17-23 49-20 24-32 29-20 8-18 36-26
2156 635-21-16-16 4
2007 785 13-6-21 2 5 3-6 11 9-10
437 188 10-7-12-20-11 2-1 10 14 15
480 52-11 5 21 39 0 19
490 115 9-7 67 0
-4391 670-5-11-38 5 8-5-79 28
1258 1583 11-7 26 5 67-12 92-27 57 21 9 10 26 5-18-7 22 2 4 7 22-7 18 4 13-10-12 7-6-9 16-10 9 5-3 5 19-12 53 4 27 9
1745 1474-34-86-49 40-34 71-10-17 27-54 32-33 21-63 62-108 29-27-12-1-2-7 10-42 58-47
-4016-169 18 11 12 29-6 26-4-24-6-1 2 10-14-17-33 22 9 16-7 43 17 12 5 13 9-2-10 13 22 26-2 31 59 21 2 13
-3943 73 34-25 24-6 15-22 45-8 11 10 50-27
-4007-149-7-1 3 12 16 2-12-13
-4517-39-10 10 14 5 3-9-7-6
-4471-46-10 2 17 9-7-11
-4564 1 24-39-16-13-13 0-6 8 19 15-15 27-9 1 12 6 4-5
-3589 986 11 9 30 1 50-12 11-19 25-1-19-8 47-11 17-14-17-20-13 9-17 2-25 0-35-11-8 6-19-3-21-32-16 20
-3064 762-5-1-4 21 9-6 0-14
2156 635 13-30-43-26 36-4
-1498 4178 208-15-310-9-2-5 346 9 32-14 98-5 50-9-80-14-323-8-15-5 17-6 220 3 42-15 40 4 28 13 80 1 10-6 0-12-18-13-79-26-6-4 4-3 175 43 108-12 60 18 41 4 150-8 51-10-85-20-67-4 12-6-14-6-113-9 41-8-27-8-147 0-37-12 5-12 35-2-3-20 21-8-107-26 9-5-38-43 17 0 26 11 69-10 9-7-69 2 22-13 47-7 43 2 7-6-2-11-13-8-94 8-57-12-36 6-13-6 36-5 20-15 81-8-5-6 22-12 6-13 1-10-7-6-48 7-58-15-30 5 27-8 36 6 10-9-13-12 9-1 22 17 22 0 35-22 0-10-93-11-41 6 10 12-11 4 0-8-18-6 7-4-7-7 10-3 89-8-14-19-85-10-45 7-46 18-26-8-42 13 37-16-64-14-61 9 37-10-51-5 171 13 105-24-2-26-10-3-1-11-88 19-28 27-102-16 92 9 6-20-25-5 31 1 131-34-25-11-1-7 3-7 6 10 27 2 12-48-43-3-3 20-12-21-32 1-33 9-29 29-66 18-60 2-1-4 63-3 9-11-53-15-84 2 21-8-8-9-47-11 129-2-56-19 12-1 18 10 75 8 166-13-44-11 2-4-41-3 6-8-28 0 0-7-44-9 4-5-69-24-186-24-26 3 6-7-19-3-67 19 7-9-9-2 10-11-50-19-47-45-27-14-27-10-34 10 11-15-37-15-7 8-7-11-20 5-35-14-12 6 36 29-44 4 20-6-19-18-19 6 16-15-99-8 30-11-34-15-41 0 6-9 15 3 24-22-30-13-40 4 48-8 4-21-25-10-3-12-14-11-40 7 27-11-13-12-52-1 39-8-8-20 10-15-23-7 13-2-20-46-16-12-44 4 35-10 5-17-10-7-32 5 15-8-12-2-26 5 10 18-20-13-38 9 1 9 19 4 11 10-31-11-33 9-5 8 14 22-51-20-65-3 20 12-30 0-2 9-25 5-6 12-12 4 4 4-9 11 28 9-40-4 3 12-38 12 1 12 25 16-30-11-53 41-4 18 64 11-11-1 2 6-55-11-8 5 23 18 28 6 16 0 18-12-6 13-20 3-22 22 12-20-25-9 4 8-6-1-33-27-9 10-8 37-14 8 46 20 26 3-73-16-32 7 5 19-15 3 109 42-91-34-29-2-1 13 11 11 52 12-65 5-10 8 4 14 64 17 95-12-28 9 11 5-69 2-70-15 29 33 78-7 22 16-52-8-59 4 17 16 22 4 49-8 24 3 17 10-22-3 8 19 39 2-39 2 14 23 23 7-8 7 9 4-97 2-88 18-26 14 19 6 68-3 64-16 42-2-32 9 3 14-26 8 38-1-99 9-6 7 67 18-83-5 15 11-10-1-24 26 8 3-13-2 22-23-27-10 3-10-43-4-39 9-3 7 17 21 24 13-37-10-3 6 17 3-15 5 34 6 9 15-17 7-29-1-2 6 21 10-41 12 13 10-19 18-51 0 27 5-1 11 23 4-115 42 15 7-13 9-133 24-106 10-104-11-85 3 20-11-7-1-75 7-58 15 68 13-88 8 9 8-46-8-27 13 109 6 42 9 87-5-3 6 10 6-28 8-127-11-60 13 22 6-58-1-77 19 17 14 42 7 132 12-1 4 32 5 128 7 27 13 24 28 31 5-133-1-18 10 134 36 40 3 33-9-9 10 12 6 78-3 17 13-5 17 38 9 58-2 133-26-132 31 236 19 43-10 6-25 26 11 6 8-9 4 4 10 106-21 68 1-59 16-13 11 47 1 266-35 9 3-5 13 20 13-4 6-62 13 210 1-256 10 174 15 85-8 47 12 110-17 11 8-40 11 107 8 332 1
-2637 3497 35-7 7-10-93-17-21 7 26 3-8 4-55 9 7 11 23 0-26 10 23 9 54-6 28-13
-2551 3478-11 0-5 15 33-1-17-14
-2677 3552-21 4 19 9 7-7-5-6
-2751 3640-27-12-33 8 60 4
-3583 3866-42 3 53 1-11-4
-2243 4104-95 13-29 13 47 5 74-11 8-4-5-16
-1272 3546 2-13-41-10-19 5-72-4 21 22 50-2 40 8 19-6
-933 4092-19-1-29 13 15 2 33-14
-881 3991-52-5-24 7 30 8 53 0 4-4-11-6
-950 3899-6-2-10 20 19 4 3-15-6-7
-929 3802-6-1-19 20 1 14 16-3 8-30
-900 3770 6-10 24-8-75 2 2 12 43 4
-898 3882-13 1 27 10-2-8-12-3
-2313 3039-6-6-21 6 30 8-3-8
-2584 3543-23 2 9 4 14-6
-331 3111-2-6-9 1 6-8-23 16 28-3
628 2789-17-16 10-9-16-5-2-18-10-2-10 20-19 1-15 26 32 12 10-13 2 13 18 8 18-3-1-14
434 2745-3 26-24 9 1 50 26-5 10 12 16-2 3 16-13 0-11-15-16-3-9 10 17 13 41 3 26 20 33 8-8-6 3-19-11-12-1-19 32-9-8-10-19 1-10-20-14-1 6-4-21-13 4-12-11-11 11-2 3-9
532 2781 9-15-10-13-32 5-6 10 0 8 39 5
568 2745 19-5 1-6-36 5 1 8 15-2
537 2738-6 5 16 15-10-20
627 2748-21-2 8 7 13-5
754 2751-20 4 2 7 21-5-3-6
848 2430-21 10-24-2-50 12-19-20-32 0-11 8
1700 1753-26-3-5 8-33 1
1636 1759 8 0 3 11 33-2 48 15-31-18 3-12
1700 1753-50-25-28 8-6 12-1 6 21 5
-4092 1158 60-3 41-11 27-24 30-2 52-28 7 4 18-12-11-1 5-7 8 5 12-12 57-11 6-6-6-14 42-3 36-18 0-7-48-13-2 5-6-5-44 4-78-6 31 27-6 12-45 6-18 15-12 27-32-1-44 15-12 12-28-2-7 9-5-8-28 6-12 8 18 6-6 9-45 0-32-23-26-3-7-11-23-8 0 7-19-3 28 11-2 15 16 14 39 15 71 10
-3932 1128 18-5-18 5
-4128 1079-20-7-11 8 10 0-5 10 5 7 13-3 8-15
950 2243-17 11-42 0-45 10-20-3-11-11-26 9-2-21 18-12 10-20 49-34 18-22-3-3
879 2147-34 23-46 6-40 33-3 4 18 1-25 16-6 24-16 11-11 2-23-25-12 13-2 21
833 2150 26-4-26 4
860 2156-41 5 41-5
839 2164-18 2 23 0-5-2
740 2249-18 6 7 6 11-12
759 2217-22 18 22-18
760 2196-17 12 17-12
724 2233-8 12 0 13 8-25
880 2138 7-3-20 4 13-1
926 2122-74 29 31-6
883 2145 39-17
-276 521 21-9 7-15 17-11 14-4 28 14 28-1 20-24 6 3
-151 257-9 11-7-11-39 8-24-3 28-1-62 0-4-3 15-1-43-6-81-33
-4144 404-20 29-9 2 8-15-15 4-7 7 6 9-6 18-42 20-7 17-15 11-12 7 19-22-12-12-28 19-8 17 9 22-12 8 8 8
-4182 546 15-30 39-37
1198-544-6-7-81-5 3 43-23 40 4 38-6 69-59 2 0 18-36-3-18-8-9-41-88-7-30 42-14 55-13 13-169 2
653-293-30-7-12 12
611-288 14 3-2 31 31 22
654-232 17-10 12 6 3 13 32 8 2-27 15-2 64 56 12 36 0 43 33 48 44 34 16 128 27 73
931 174-1 43 23 28 22 11 36-14 17-19 93-16 22 29 28-3 45 17 37-2 23 18 65-13 13 7 16-5
1451-136 10-17 0-39 9-30
665 108 64 2 16-9 42-5 16-12 6 29
809 113 22 62 44 9 33-9 16 6 7-7
654-232-14 10-21-9-18-19
601-250-12 22-33 32
2224-604 1-14-14 9 13 5
2173-595-12 7 4 19 8-26
-3344 61-10-2 0 22-16 25-27-19-13 12 1-13-83-1-1-32 27 0 8-21-16 4-29-7 0-36 21-18 12-35-28-152
-3943 73-8 8 11 11 11-3-1 29 39 18 37 60-9-1-1 8-4-6-2 15-6-1 12 25-5 30-8 11 15 12-12 20 5 20-26 32
-3869 433 30-36 0 19-7 13 32 20 13 19 19 4 5 38-8-3 13 24 30 24 25-5-9-7 6-5 13 28 41-1 52 29 7 15 21 12 23-4 6-15-9-9
6093 1575-17 2-15 13 32-15
6115 1498-16 9 16-9
5057 1078-3 10-24-14-23 0-11 27-36 5 15 42-32 12-9 35 8 11-31 0-33-10 7 15-8 14 2 14 8 5 4 19 42 30-5 11 6 5 3 30-5 40-9 4-8-6-12 32-23 17-14-15
4582 1388 0 8-18 8-13-6-33 6-1 8-18 4-25-13-29-37
3890 1775-52 8
3727 1851-8 7 25 4
6218 2000-13-8-22 2-41-14-43-27-15-3-1-7-25-6-3 9 29 9-3 6 10 8-27 0-1 8 13 5 0 10 14 6 24 29-22 22-6-7-27 3-35-33-55-24-20-29-34-6-22 7-12-17-3-12 10-15 59-14 7-17-6-18 16-10 24 1 25 26 25 8 44-19 21 3 30-6-11-17 4-6-9-5-20 6-56-16 4-10-9-1-4-14-12-4-4 8-7-1-4-4 9-7-43-34-13-23 55-28 30-63 0-18 24-12 3-11 23-19 0-6-9 1-58 19-24-8 34 2 3-8 44-25 11-20-23-6-30-22-19 1-12-7 15 3 7-8 31 8 21-16 20-5-29-20 19 7 4-6-2-18-10 6-14-6 12-9-7-1 6-4-9-11 7-17-17-4-7 5-9-14-11-2 5-5-12-24-26-37-10-3-3 11-12-3 15-22-21-14-16 3 10-9 14 3 0-30-22 3 5-11-15-2-4-14-13-4 1-11-29 0-12-7 11-12-22-20-8 0-5-13-3 7-11-7-9 3-21-35-42-4-7-7-15 5-17-10-10 7-5-12-15 1
5713 1127-12-1
5701 1126-20 17 0 13-5-1-9-9 11-16-2-18
5676 1112-2-2
5674 1110-17-6-3 6-6-15-19-6-11 10-3-12-18 5-17-14-29-2-23-15-7 6-13-20 10-5-2-8 10-11-20-10-12 5 4 4-15 24 14 28-21 11 1-8-23-5 1 8-16 2-15 13 1-13-9 3-17-10
5545 1000 6-17-19-18-9-28-22-16-25-10-41 16-2 38 31 23-5 0 4 6 48 9 18-4 4 8 12-7
5713 1127 0-12-16 3 4 8
-3476-875 10-22 11-6 7-45 25-24-12-14 7-12-10-7 0-16 14-10-4-14 18-20 16-76 34 0
-3360-1141 10-9-18-52-45-18-15-17 9-18-11-16 9-37-9-15 14-26-26-9-17-38-24-25-8-34-10-11 3-38 6-5-6-9-10 0-8-33-10-6-3-21 16-20-5-6 17-40-3-16 13-4-2-47-10-4-17-42-8-5 8-41-33-23-7-16 2-46 16-39-6-10-22-10-7-33-9-2 3-19-8-8 6-8-12-22 1-43 8-20-17-11-2-16 2-24 17-9-7-5 11-29-7-23 30-3 3-6-5-10-40-1 1-6 22-4 12-13-7-14-12-3 5-19-12-10 9-25-12-9 2-18-22-15-9-19 11-17-15-15-1-14-21-11-5-14-16-1-6-13 4-27 17-31 41 3-3-43 21-21 101-2 76-18
-3422-2618-40 8-19-13-59-15-10-51-15-5-44 12-12 14 24 6 2-14 5 2 3 12 23 10 3 11-8 3-45-19-13-16-26 11 17 24 60 8-60 3-20-27-26 12 20 7 6 11-23-10-22 2-1 12-13 14 23-6 8 8 21-4 23 11 11-13-7-8 10 5-5 13 4 15-31 12 28-17-46-12-12 12-22 6 14 3-1 18-44 10-14 19 21 1-5 9 7 6 42-29 7 22-16-16-11 11 1 6 11-2-34 16 15 11 19-1-18 11 1 9 23 0-13 8 8 21-14-24-7 5 1 40 17 6-24 1-5 23 59-7-10 7-6 17-11-13-14-2-22 13 6 7 15-6 5 4-17 8 16 13-8 20-10-5-24 7-1 11-26-9 6-12-14 8 2 8 37 23-7 14 45 6 2 13 8 5 7-2-10-31-19-8 22 3 4 16 7 1 2-13-13-23 6-1 12 33-9 14 2 7 24 7 16-6-25 11 2 7 36 25 1 8-30 14 13 26-4 16 16 14-4 19 10 8-7 12 7 3 11-9-4 20-16 4 23 13 2 7-11-10-21 9-14-13-25 2 6 8-12 7-6 23 16 51 12 9 10 28-15 36 3 23-10 17 0 18 3 8 19 1 5 24 27 46-2 9 20 24 11 47 17 25-4 28 14 22-12 95 2 21 13 10 4 24-10 37 17 27 27 103-4 27 13 26-6 31 9 54-10 15 13 21 13 67-4 90-13 68
-3431-2633-2-110
-3433-2743-41 0-12 7-39-5-71 15 56 10 5-8 19-2-27 20 0 12 16 13 8-18-13-1 5-7 18-12 22 4 24-13 11 8-47 15-9 11 3 8 37 15-48 2-6 15 15 7-12 9 22-3 26 17 13-9 27 0
-3354-2758-13-7-8 6-29-2-11 12 53 0 8-9
-3689-2167-30 5 17 72 26-5 5-15-3-13-15-6 17-18-15-11-2-9
-3724-2457 1-28-7-15-8-1-6 15 8 15-12-6-4-15-25 2 12 15-8 7 19 4-7 7 13 9 3 11 18-1 3-19
-3775-2438-6 0-1 9 4 25 8 3 12-30-17-7
-3719-2646 36-7 26-15-57 14-22 17 17-9
-3728-2430-18-1-14 32 19 6 13-37
-3646-2674 36-16-34-16-4 3 10 10-14 1-2-8-7 1-5 13-26 9 20 7 26-4
-3741-2581 2-10 12-7-8-16-8 0-12 25 14 8
-3485-2746 62-2 3-4-11-6 17-5 12-19-41 9-1 11-16 3-8-6 9-9-14 3-26 14 5 13 9-2
-3570-2702 19-4 1-6-7-7-17 7-23-3-14 13 11 8 30-8
-3687-2220-13-10 12-33-17-3-26 34 6 8 20 5 5 12 15-7-2-6
-3649-2239-21 0 7 21 24-7-10-14
-3765-2534-7-3 1 13 15-2-9-8
-3755-2442-15-16-12-2 8 6-5 11 24 1
-3728-2564-3-6-21 0-12-11 6 17 30 0
-3753-2515-19-2 6 16 22-4-9-10
-3707-2597-17 11 17-11
-3716-2285-18 2 18 24 0-26
-3550-2743 29-2 6-11-9-3-48 14 22 2
1143 546-18 4-36-18-7-20-65-56-69-9-4-5 11-9-27-31-46-3-43-21-12 15-29-18-24 1
774 376 4 13-22 39-39 32-18 25 13 14 71 1-26 32-3 60-12 33-19 26-20 3
809 113-6 32-47 46-3 23-17 16-8 34 3 29-9 9 15 12 37 62
-1258 847-8 0-1 8 15 4 3-4-9-8
-1172 750-13-2-2 18 15-16
-1204 831-12-6-4 6 16 0
-6633 2706 18-1 7-7-19-15 18 1 2 18 24 5-18-44-25-3-11 5 16 2-21 8-13 25 3 8 19-2
-6588 2660 6-14-17-2 26-9-7-6 23-14-4-7-47 31-5 6 6 5-20 7 39 3
-6360 2532 86-16 33-39 48-21 18-27 6 4 3-12-13-5-72 20-6 5 16 20-5-10-31-3-15 7 10 4-16 3 1 8-31 1 1 9 20 4-38 13-11-3-6 13-31-1-2 16 21-2 1 9-30-4-15 10 22 8 36-11
-7050 3483 91-7 96-28 100-14-32 12 16 5-17 5 39 17 34 1 3 10 26-9-15-12 89 20-7 3 70 9 24 11 56-1-65-22-55-6-37-14-37-21 11-5-7 5 38 0-8 4 1 8 47 18 36 1 4-13 43 26 61 12-13-8 15-2 29 17 30 8-25 8 9 8 39-14 30-28 45-18 27 2-8 12 29 16-12 2 22 7 8-20 14-3-18-14 7-3 41 1 25 22 64-1 80-21 146-23 58-4-9 7 40-2 41-10 33-17-7-7-33 1-34-19 15-4 135-7 118 16 22-13 30-2 9-14 12 9 32-17-1-8-25 0 62-35-23 17-1 11 29-4-40 47 10 4-2 7 69 8 1 6 33 14-36-4-7-8-51-1-6-8-29-1-20 7 20 16 108 15 24-5 15-20 36-9 9-9 50 3 58-19 195 3-14 8 3 6 59-23 16 9-20 8-33-2-22 22 42 1-7 7 6 1 24-3 18-11 27 3-14-14 37 10-19-36 11-12 21 2-3-7 13 2 5-10-50 1 32-21-13 16 32 0 7 16-20 24 10 14 36 3 65 27-10 1-2 12-9 6-10-11-27 1 26 16-9 2 0 8 32 5-6-10 16 8-6 5-37-1-18 9-9-3-57 11-30 20 13 16 21 1-5 4 5 4-19-3-14 8 5 22 19 9 25-4 8 8-24 4 50 19 57-11-1-5 41-19-1-21 30-10 16-17 14 1 10-7-38 3-10-7 27-3-45-19 48-6 36 5-12-6 51-3-41-9 38-20-5-20 17-11 17 12 12 26 19 12 62-22 11-24-26-3 1-17 48-38 40 15 8 16 22 14 14 30 41 5-12 3 12 12-26 8-8 30 146-7 12-3-19-7 23-5 4-8 45-5-32-13 29-1 5-10-32-10-32-1 17-15 10 3-2-14 38-21-8-22-97-34-57 30-15 2-14-6 19 2 26-13 18-23-38-1-49 18-55-2 1-8 36-12-67-38-33-1-90 30-83 0 75-8 47-22 98-7 0-7-49-41-33-12-69 7 9-9-15 1 7-9-7-6-33-5-87 13-57 15 7-14 14-1-5 5 61-12-15-7 39 5 47-15 2-12-4-7-28-8-51 0 21-11-31-3-10-10 12-9-34 10 15-7-23-10 1-4-12 0 13-9-30-14 2-7-10-2 1-8-22-27-13-5 6-4-7-58-9-10 34-17-3-21 11 22 47-1 37-70-18-20 110 15 89-20 67-40 90-21 23-13-7-13 15 10 57 2 76-13 9-12-10-29 14-21-8-39 35-30-11-11 18-1 40-22 11-19-21-13 19 9 19-1 38-26-19 18 2 11 19 14 20-21 8 15-12 14 27 24-15 20 1 10-19 40 8 9-7 5 4 4-12 4 5 3-29 26 97 31 51 35 11 18-2 41-16 29-13 13-68 33 4 11 34 24-5 5 7 10 19-5-7 5 9 17-14 3 6 3-11 14 9 6-15 5 10 9-29 0 33 37-25 14-6 22 38 15 85-16-5-4 22 7 35-10 0 5 47 13 51-18-5-14 28 0 9-8-9-5 29 2-11-9 11-1-5-4 16-9 57-5 14-10 26 8 4-9-18-18 4-20-49-3 46-5 8-12-5-17 17-2-10-22-12 5-19-10 19-4 25 10 29 1 16-8 8-13-7-16-34-13 31 8 20 21 7-9-9-8 15 13 4-20 5 11 43 14 18 15 13-7 5-11 4 7-6 12 33 12-16 8 14 5-3 8 22-5-18 8-2 12 21 0-8 6 18 22 16-4 4-4-18-8 25 2 3-16 8 4 15-15-9-7 26-9-28-7 37 0-2-10 12 1 8-10-33-17 47 8-11-15-22-9 39 7 26-12 0-15-27-7 29-3-3-9 32-11-2-17-56 6 38-14-10-5 26-3-15-6 18-1 3-9-8-2 18-7 18 4 9-11 11 3-3-7 10-8-21-21 43 12 16-6-20-18 29 19 13-3 11-15 41 2 28-14-62-28-59-10-16-12-13 3 15-9-12-11 84 36 37 6-22 3 8 3 39-3 14-18-19-9 9-8 25 14 19 1 25-14 8-13-5-11 5-18-26-5 29-3-2-6-12 2 16-13-64-34-76-8-79-52-82-8-50 10-185-4-26-11-22-33-45-7-70-50-67 13 62-18-11-18-35-30-28-17-31-6-55-24-25-23-28-12-14 2 17-10-36-17
-6139 2450-15-1-6 8-2 6 18 7-20-3 5 17-17-14-26 10 2 7 9-8 12 5-15 3 3 20-6 2 4-5-6-10-15-5-25 12-14 20 10 11 0 12-10-18-21-1-3 7-5-9-23 2-17 4 27 6-31-1 7 8-7 1 0 10-6-7-21-3-32 15 14 22 36 5-32 0-15-11-10 10 2 26 18 8 10 2 26-17-24 22 13 13-4 4-2-9-37-19-15-25-13 19 16 8 5 11-17-9 11 28-15-5-8 16-28 11-5 9 16 8-2-7 49-14-14 10-24 4-4 9 11 6-21-1-15-21-15-8-39 23 15 21 21 4-23-2-18 12 44 52-12 5-12-25 1 41
-5491 3933 18-5 5-10-197-1 121 20 53-4
-5523 3905 42-2-62-11 35-4-2-12-88-9-60 10-6 14 49 9 92 5
-5778 3868 5-3-43-8 25-10-22-2 16-9-53-9-12-13-38 6 11 19-5 1-46-14 9-8-19-11-29 9-8-10 10-7-19-6-24-2-22 18-19-10-59-2-12 3 2 8-15-1 24 12 43 4 123 42 113 2 7 2-17 4 27 4 47-9
-5415 3803 29-3-15-10 40 5 15-11 11 7-8 5 9 5 39-1 15-4 6-11-19-25-12-6-53-8-84 7-184-32-50 1-43 12 77 15 58 2 32 10-134-8-7 10 20 8-28 1-7-10-18 2 8-5-5-5-28-5-20 7-15-8-94 16 17 9 106 11-101-2 108 13-83 3 22 12 72-1-53 6 42 10 40-2 19-13 56 0 42-13-10-5 26-1 24-14 99-2 8 9-48 12 22 9-44 15 74 21 19-4-8-8 25-17-14-8 5-1
-5726 3630 47 3 7 10 18 7 91-14-32-18 11-3 74 18-23 17 33-1 62-21 29-42 18-5 26 14-20 12-27 51 15 3-4 6 77-7 53-21 27-40 25-20-7-26 47-21 25-7 2 8 70-20 4-6 23 0 10-16-7-8-22 10-8-8-30 7-18-6-1-8-41 5 20-9-4-14 48 14 9-3-3-8 13-4-4-8-52-10-110 5 4 8-56 4-14 13-12 1-39-22-102-16-177-10-27 14-7 22-141 11-29 19-5 13 130 13 148-1-106 20-191-4-40 17 28 10 126 17-132-5-14 3 24 10-62 5 2 11 36 14-13 8 5 6 90 26 97 16 22-4 6-20-22-15
-5987 3706 27 4 4-9 29 11 51 0 106-37-178-41-28-19-33-4-22-36-56-3-55-17-24 3-34 26-92 15 11 14 32 16 1 13 20 5-12 9 50 32-20 7-25 22 160 10 97-15-9-6
-3474 4151 153-5-103-13 179 12 20-6 50 1-7-4 28-8-8-5 77 1 25-7-49-15-325-37 195 10-239-56-58 8 23-15-90-6 75-2-40-8 13-4-14-4-53-3-98 9-13-2 59-4 14-8-115-9-70 5 65-14 56 0-3-9-202 1 35-7 81 3 91-14-22-9-77-1 61-10-38-16-103-3-3-21-21-8-104-2-54 10 19-8-39-3 128-5 14-13 47 2 14-6-14-14-126-20-10 2 8 7-7 5-37 2-40 11 14-13-82 0-17 11-3-16-70-1-39 12-11-10-34 3-6 7-1-10-45 1-5 19-6-6 4-12-52 4 4 16 47 13 87 5-43 13-21 14 4 3 63 4 59-20 55-5 44 4 50 28-59-23-54-2-22 3 0 10-12 8 46 14 20-1-34 3 6 14-40-20-32-2 15 13-50-11-32 3 4 12 34 18 90 7 86-7 76 10-133 1-7 4 49-1-84 30-58 9-10 14 6 7 139-2 102-27 60-4 18 3-44 2-99 31 306 27-93 5 22 10 70 13-116-15-28-14-62-9-94-4 33 10-14-1-132-12-74 5 69 18 98 8-125-5-97-19-77 13 139 6 77 12-234-12-18 4 39 7-24 3 13 3 91 7-135-6-15 1 39 11-93 0 37 9 144 14 52-7 99 1-79 12 86 11 65-6 48-12 16 1-21 5 10 2 156-19-151 27 38 6-22 5 66-2-19 8 9 2 113-5-71 12 14 1 120-3 74-17 22 3-78 20 135 1 88-15-39 11 68 8 57-10-24 6 73 5 24-5
-4774 3890 118-7-36-10-107 1-15 8 40 8
-4677 3751 4-8-6-10-48-1-103 21 32 19 54 9 49-10 20-14-2-6
-5000 3697 42-10 74 7 28-4 6-7-31-8 17-6-58-21 40 3 28-13-2-7 29 4 3-13-16-6 10-6-8-8 7-10-48-11-30 2-7 10-7-4 13-17-23-7-25 3-72 40-56 8-49 22 7 11 18 5 46-18 40 3 4 10 14-4-6 10-15 5 36 1-27 7-26-4-32 10 27 6 23-8-23 16 49 2 4 2-15 2 11 3
-4246 3263 21 10 21-12 101-29 19-21-10-10 53 4 12-8-4-2 20-5-39-17-67 12-4 11-42 11-67-42-38-9-18 29-71-5 12 15 34 12-6 21 15 49 13 15 13 4 16-6 7-9-7-5 16-13
-4885 3823-2-6 10-12-3-12-15-5 25-4 3-13-16 4-11-4 11-13-21 2 4-8-112-2-12 9 17 3-30 5 77 18-167-9-13 4 33 14 58-4-15-1-11 7 3 4-22 4 16 8-29 2 18 9 96-27 8 2-21 8 29 1-44 5 22 4-45 8 41 8 58-9-6 8 15 4 51-12
-5171 3966 25-4 13-7-3-7 7-4 44 10 33-7-4-7 55-4 22-8-13-6 4-7 38-15-8-7-40-3-31 5-25 15-76 2-7 7-89-4-24 11 71 1 5 3-27 2 32 5-40 2 15 6-14 5-37-10 8 11-42 5 10 10 98 0
-4594 4057 62-27 70-4 2-13 17-5 33-2-21 7 5 8 42-2 3-10-15-4 36-3 11-7-16-16 48 3 17-8 18 7 30-17-96-15-33-15-15 4 5 14-11-2-11-16 14-7-38 2 7-9-9-10-63 20 27-21-48 8-10-2 17-6-55 0-71 14 49 4-70 3-19 8 24 1-50 10 143 20-76 4-114-9-32 7 67 16-73-3-30 8-16 15 107-5 19 8-57-3-50 9 42 2-30 10 1 7 11 1 100-8-80 14 13 8 101 6-48 6 1 5 57 0 58-10
-4715 3846 54-8-16-16 27 9 85 3 38-9-44-2 107-8-6-6-100 2 106-21 4-3-22-9 36-5 3 8 11 2 22-7 33-2 14 7 65-11-5 5 106 16 89 1 125-20 8-9-44-11 49-6-47-1 10-5-7-11-83-5-50 4-8 13-21 4 9-7-10-9-44-4-32 5-168-5-7 3 11 11-10 3-51-14-50 3-20 5 4 5-13-8-18 0-23 7-11 13 5 3-15 7-2 7 18 13-6 9-46 26-109-5-38 11 19 5-62 9 25 2-18 9 46 4 77-7
-4810 3927 64-8-21-8 20-7-103-14-33 15 36 3-55 8-14 8 13 4-14 10 48 1 59-12
-4659 3708 48-9 57 1 36-7-60-31 7-2-35-22-105 0 22-5 12-11-30-22-53 1-3 24-17 19-2 41 47-2-23 12 9 7 90 6
-4872 3482 57-15 27-22 25-4-67-18-44 4-42 15-47 1-15 9 53 13-2 14 25-6-13 10 11 9 19 0 14-5-1-5
-3055 2297 12 2-10-14 16 3 14 10-14 0 22 18 22-8-4-7 6-3-43-18-30-1-9 7 3 22 26 32 20 10 7-13-8-23-30-17
-3735 2250 57 21 20 29 52 28 80 24 52 46 33 20 111 38 54 7 48-8 17-11-15-2 14-7-1-8-50-26-33 8-39-8 42-5 13-13 30 9 15-6-11-18-20-13 24-2-3-9 18-32 31-4 4-3-11-4 38-13 30-1-3-5 14-1 26 12 9-10 21-4 4-7-9-4 21-3-113-33-15 2-1-10-19 8-5-8-9 3 0-10-60-41-32 15-4 16 17 21-12-3 83 42 15-16 2 10 37 7-76 0 28 24-16 5 2-6-9-9-55-21-11 5 4 5-21-16-34 3
-2773 2577-6-8-23-3 12-14-45-49-6-22 32 25 1-9 33 2-32-18 13 2-10-10 35 2 2-6 6 6-7-21 43 22 3-10 24 6 17-6 2-9-29-18 15 2-5-6 13-2-21-13 55 12-6-12-36-19 11 0-11-11 9-8 20 18 21 6-16-30 12 2 8 11 6-12-20-43-26-2-1 25-20-15-9 2 16 28-6 16-11 5-14-23 0 7-19-8-23-24-23-2-7 8 57 32-29 0-11-10-27 2 13 5 0 11-46-13-78 9-46-5-4 15 51 29-42 2 16 9-3-4 9-3 16 24 20-5-5 5 6 8-10 1-2 6 10 8 12-2-7 10 24 40 13 6-6 4 13 16 18 16 33 11 28-1
-4329 3551 47 7 41-7 6 31-32 3-29 14 30 13 52-10-28 13 11 4-36 2-16 15 20 12 50-8-60 15 52 18 32-2-6 5 24 6 91 3 13-5 9-14 28-10 0-10 16-7-47-23 30 7-16-13 12-5-11-1-1-8 38 14 15-1-11 8 13 5 42-8 0-12 21-8-14 11 8 13 59-9-38 9-10 6 3 5 58 8 78-8 32-13-43-30 39 17 44-1-3-10-44-7 25-1-15-23 26 21 31 7 7-3-24-16 24 9 27-15-5 13 19 7 63-8 23-12-73-22 45 10 53 1-4-13-57-18 31 3-8-19 23 23 45 12 79-10 7-5-6-5-79-19 64 8-11-11 13-2 26 9-5 3 10 7 13-2 25-12 8-14-41 1-62-13 101-3 28-10-6-5-57 4-55-7 37 3 27-6-6-13-72 4 55-8 14-9 61-4-16-6 11-5-5-8 13-1 1 8 21 4-3-12-12-9 29 11 4-8 18 2-2-10 7-4-1 10 22 8 7-3-9-10 19 3 40-14-12-3 4-8-35 1 5-2 38-3 12 6 28-7-33-21 66 4 13 7 41-20-11-4-30 4 27-11-14-5-35 4 8-4-7-5 27-9-30 0 11-10-14-10-25 1-15 10 2-8-12-2 16-2-1-20-12-15-37 13 4 11-15-14-42 32 48 28-28-12-41-4 8 10-20-3-46 24-16-3 4-12-33 7 35-21-9-5-23 1-32 14-14-2 26-6 2-10 16-5-4-11 18 4 23-10-11-5 26-13 6-13 3 9 21-7 0-7 14 8 25-8 8-4-12-7 22-3-25-7 21-14 24 0-6-5 19-11-7-1 2-21-7-1-27 26 7-26 19-16-24 1 3-16-56 24 0-5-10 1-12 12-3-9-59 33 9-16-39 15-21-1 39-26 23-4-3-5 88-40-8-5 4-9-13-2-116 20-24 7-24 17-32 0-43 12 8 6-20-3-33 18 31 8-46 7 6 9-16-4-48 29 10 9-33 0-7-8-4 9-16 2-11 9-12-3 11-13-51 1-2-6-55-8-47 6-19 13 6 18 35 11-5 8 7 5 75-12 15-8-3-8 6-3 5 8-22 15 112 9-9 14-34 20 69 28 13 16 28 11-55 50 2 5-27 0-2 17-13 0 7-8-22 2-25 12 9 5-11 2 12 4-7 1-86-18 1 16 30 1 16 9-44 15 14 7-42-1 11 7-37 3-9 20-25-1-39 19-17-10 29-11 0-8-14-5-128 9 37-12 0-6-32 10-37-5-42 8-132 2-27 5-9 11 5 5-75-10-47 13-31 27 116-2-128 20-7 4-9 22 18 12-10 3 2 11 23 17 7 15 26 15 49 16 48 6 88-3 1-4-55-22-29-25 17-15 5-28 60-27-78-17
-3090 2455-62 6-72 33 17 3 64-12 52-21 6-7-5-2
-3191 2323 7 5 28-7 55 0-25-11 2-10-16-1-11 4 6 3-8 5 4 5-12-8-17 2-42 25 20 18-4-14 13-16
-4100 3148-6-15-45-22-34-3-11 13 27 24 69 3
-3977 3121 13-12-19-27-30 9 4 20 13 9 19 1
-3784 3416 31-9-3-30-14-9-77-6-18 22 31 29 50 3
-3977 3683 63 0 54-8 56-31-171-6-22 5-12 18-30 6-4 17 22 4 44-5
-4037 2637-65 15 10 7 35 1 19-14 1-9
-3941 2807 8 15-8-15
-3947 2813-12-19-5 2 5 15-16-17-13-4 11 16-23-10 24 20 3 11-4-18 13 21 16-9 1-8
-3999 2810-4 4 24 9-20-13
-4492 3863-58 3-9 12 50 2 23-8-6-9
-5228 3857-33 2-42 27 39-4 39-17-3-8
-4940 3999 0-10-7-3-59 14 20 7 46-8
-5264 3646-83 29 16 10 55 3 47-9-2-13-33-20
-5111 3801 11-4-66-9 14 8-36-1-11 2 9 5-30 3 84 10 25-14
-5201 3829 49-7-61-6-17 13 29 0
-5916 3779-54 2 39 14 56 9-41-25
-5692 3888-38 1-22 9 35 6 36-12-11-4
-6512 2698-7-6-16 4 13 8 10-6
-6492 2658-34 19 6 4 23-9 9-10-4-4
-6511 2751-6-10-12-3
-6428 2647 3-21-9-12-3 24-8-4-14 16 7 14 20-8 4-9
-6208 2477-24 11 24-11
-6332 2480-15 6 1 6 9 0 5-12
-6259 2505-6 16 11-10-5-6
-6447 2625-16 15 16-15
-6418 2620-4 15 10 4-6-19
-2989 2197-17 1 17-1
-3096 2364 7-1-11-1 4 9 26 11-26-18
-3678 2273-20-1 24 13-4-12
-3241 3128 20-4-12-5-15 4 7 5
-3412 3012-6 4 11 12 16-5-21-11
-3517 3127-21 3-23 14 39-7 5-10
-3242 3068-30 14 33 1 6-3-9-12
-3251 3094 9-6-20 7 11-1
-3220 3018-17 1-5 6 22-7
-3087 2878 5-7-19 6 14 1
-3396 3477-15 4 23 1-8-5
-3134 3353-10 0 24 6-14-6
-3953 3796-32-2 43 11-11-9
-3969 2598-13 2 18 4-5-6
-3681 3389-43 1-13 11 65-2 2-9-11-1
-3894 3174 17-12-20-6-30 15 33 3
-4726 3787-19 9 20 4 10-11-11-2
-4839 3647-16 3 2 6 23-2-9-7
-4868 3726-19-1 16 6 3-5
-4914 3693-57 2 88 9-31-11
-3700 3131-31 5 31-5
-3744 3417-26 12 21 3 9-9-4-6
-3927 3036-6 0 21 5-15-5
-3834 3170-34 9 11 5 24-9-1-5
-3971 3489 3-3-10-4-24 0 3-6-41 8 69 5
-3901 3486-1-6-40-6 41 12
-3882 3200-16 0 16 0
-3960 3442-10 4 37 22 21-2-27-18-21-6
-3850 3457-16 3-1 10 34-2-17-11
-4346 3506 20-5-40 3 20 2
-4186 3290 24-5-44 4-17 15 34-6 3-8
-4330 3387-15 5-3 13 13 10 14-6 1-15-10-7
-4234 3279-21 9-2 13 19-8 8-10-4-4
-5061 3829-20 1 67 7-47-8
-5150 3907-14 1 24 3-10-4
-5085 3885-34 1-5 8 42 1 32-8-35-2
-4486 3825-22 1-20 12 31 4 12-5-6-5 5-7
-4804 3775-39-7-8 5 33 10 20-5-6-3
-4765 3725-27 4 16 3 11-7
-6054 3787-8 1 18 8-10-9
-5678 3837-64 3 47 5 19-4-2-4
-5206 3752-38 5 27 14 24-2 11-10-24-7
-5011 3440-19-2-1 11 14 1 6-10
-5015 3525-19 7 20-2-1-5
-4776 3479 7-4-6-7-12-1-1 11-11-8 5 10 18-1
-5059 3470-9 8 18-5-9-3
-5092 3429-23 5 24 6 5-4-6-7
-5227 3420-26 8 23 0 8-4-5-4
-5395 3370-13 1 2 10 6 0 5-11
-6952 3479-13 1 21 0-8-1
490 115 7 39-13 23 4 4-10 9 9 3-3 10-10 0-3-7-21 9-4 23-13 6-4-8-1 12
5221 521-27 12-15-5 7 17-9 12-9-11-10 0-2 27-9 12
4935 510-7-8-5 32 21 52-12 1-3 71-19 41-5-13-10 47 6 0-10 10-5 51-7 7 7 27-17-2-9 29-18 15 3-18-7-17-16-10-13 13 7-16-28-14-19-22-2 19-8-14-12 0-2 18-12-14 2 31-13-21-11-4 18 77-17 59-8 8-2 19-5-19-22 23 16-6 9 10-20 17 5 7-23 8-5-11-7 11 3 15-12-10 3 8-7 11-1-13-20 25
4616 1040-7 25 8 7 15-7-3 34
4724 797-3-5 9 18-6-13
4686 978 11-7-2-4-7-1-2 12
119 595-20-24-28 1-26-22
1429 2187-6-18-16 1-11-11-2-22-20-14 27-25
5751 245 6 0
5703 230 47 21 1-6
-2583 203 6 13 16-11 25-98 13-15 25-9 3-25-43-47-26-15-35-64-34-10 36-1 52 32 10-41 15-13 54 14-16-46 21 37 25 22 13-7 5 7-5 17 17 20 28 4 7-5 1 7 97-37 7-18 12 13 15-17 6 3 6-16-11-10 5-6 11 11 3-10-10-11-7-31 14 13 11 23 6-1-5-15 41 21 57-21 18 3 20-9 76 3 74-43 65-60 30-9 52-1 7-7 28-88 0-48-25-63-21-23-7 1-25-40-39-29-9-17 0 7-33-67-19-18-15 17-8-9 5-5-17-34 5-2-2-21 5 0-6-31 9-60-16-66 2-26-24-28-7-66-59-83-2-38-35-16-14-13-3-18-46-1-10 12-3-14-34-5 11 4-9 5-39-7 3-11-37-16-7-10-26 0-44-22-57-40 4-6-14-13 1 5-11 2-4-8-13 4 17-12-13-12 2-17-6-4 9-47-12-69-47-39-28-53-31-42-56-43-1 14 19 3 20 15 6 18 9 1 14 20-1 14 7-1 1 9-23-5-14 16 7-16-6-20-4 4-7-21-24-14-11-25 4-14-27-49-36-30
-2880-1509 86 90 10 0-2 9 31 17 13 16 50 21 9 42-12 31-13 7-23-3
-2908-1008 15 9-14 12 21 35-3 6 14 35-17 35-28 14-4 27 7 21-92 1-3 39-17 19 15 1-11 64-29 16-35-2-17 18-32 8-15 17-68 11-29 23-19 37-3 37 7 18-5 21-59-9-57-39-18-1-27-20-48 7
-2481-11 25 3 36-7-22-54-10-7-7 5-3-9-13 4-4-10-11-4-35 1-13 27 9 7-11 10 8 31 20 8 31-5
-2487 13-9-14-21 3 3 10 27 1
-2533-7-13-9-6 5 10 9 9-5
-2472-6-19 1 16 9 6-4-3-6
-2521 7-1-7-9 3 12 27-2-23
-2592-72-5-1 20 40 14 6 5-6-6-18-28-21
-2424-1388-3 9 6 9-3-18
883 2145-4 2
-3132-1112-10 12-51 0-23-41-14 30-59 6-22 15-7-16-18-5-24-30
135 319-54-8
-4415 924-3-6 14-7-10-30-2-49-29-37
126 2555 41 14
4616 1040-13 19-10 58-19 27-27-14-15 25-2 25-2-9-15 2 16-10-7-25 9-20-20-27-7 3 6 14-12-7-2 5 3 17-8-24-13-11-4 26 1-18-7-10-10 3-5 16
4558 1109-6-4 2 21 4-17
4539 1104-13-1 8 13-9 26 9-1 9-17-4-20
2530 1294-7 4 1 13 5 1 1-18
-3883 1212-5-4 10-1-1-20-9 1-12 23 17 1
-3861 1295-9 6 8 7 0 20-14 14-21 3 20 0 24-18-8-32
-3651 1060-7-11-26 0 8 11 14-2 9 8 2-6
-3887 1235 0-12-15-9-5 11-15 6 10 2 4 27 21-25
-3925 1336 29-1-41-10-12 9 9-5 10 11 5-4
-3710 1111 18 26 0-10-18-16
-3833 1274 27-17-2-24-8 8 5 0 3 15-31 15 3 7 3-4
-3783 1173-17 11 17-11
-3742 1145-19 13 4 5-9 20 24-38
-3765 1210-10-3 5 6-16 22 21-25
-3652 1121 15-5-21 3 6 2
2238 1985 14 3 7-9 30-2-1-8 11-7 7-18
2324 1945-4 15 9 1-11 9 6 8-45 21 15 2 4 11-25 15-4 7 10 8-25 12 5 3-9 8
2429 2092 44-52 36-15 9-11-40-4-12-30 2-13-10-16-7 6-8-15 0-20
7159-598-3-17 14-17 18-85 10-6 26 11 40-35 7-73 25-26 10-36-4-32 15-14 2-21 38-21 14 1 16-20 51-25 6-10-10-5 26-27 25-66 14-6-2 13 7 7 23-20 1 9 6-2 8-52 16-16 34-17 54-66 0-12 12-14-2-62 23-52 2-22-29-94-5-44-23-50-33-23-26-34-1-17-8-4 6-2-18-23-4-26-30-41-13-84-23-13-80-8-51-36-32-3 6-9 6 3-3-15-12 14-11-2-7 12-20 6 7 7-3 8-26-13-12 8 10 0 10 12-11 10-25-12 13-4-56-30-54 22-37 5-15-4-20 14-32 9-30 33 4 29-7 14-37 40 16-2-1 12-38-13-17 1 16 30 0 13-21 30-19-49-41-5 7 16 18 0 6 38 22 29-4 19 7 5-11 26 0-12-27-40-40-21-27-31 3-16-8 6-8-4-26 18 5 5 11-5-11 31-25 35-21 5-10 21 6 1 1 9-29 17-22 1-23 11-27-2-54 25-110-10-81-28-70-2-84-36-37-45-67-4-5 6-33 3-77-8-20-19-28-6-52-29-67 4-27 9-21 19-28 8 0 37 18-6 16 22 1 75-31 57-11 71-35 53-7 37-42 58 7-3 2 8 11-24 13 3 1 8-23 31 2 6 14-12 0-14 7 5 7-15 11 2 0 21-40 71 3 29 14 22-4 39 17 38 5 3 1-33 28 33 100 58 35-3 68 23 17 13 24-2 71 22 17 14 25 42 25 18-10 35 10 18 32 31 29-54 2 25 12-5 2 10-19 21 6 4-1 10 6 1 7-9 9 6 37-7-19 5 12 22-7-6-6 11 3 13 13 11 18-8 1 7-9-1-3 8 10 8 16-6-9 20 20 12 2 11 2-13 8 3 4-8 6 6 2 26 10-9 7 7 8-7 17 21 28-15 36-34-6-31 10 2-2 15 18 11 24-5 8-14 2 14 19-13 0 14 10 2-12 9 5 4-16 8 23 41 21 14-5 17 12 14 11 2 0 10 12-6 1 10 21 15 7-11 41 5 8-6 5 8 10 1-2 24-43 17 7 6 10-7 9 5 17-14 14 5 11-15 62-18 15 4 15-11 10-1 35 20-11-20 12 3 7-13 9-1 1 15 13 9 20-19-20-22 3-11-7-11-8 4-19-8 2-32-28-41 3-8 42-32 20-6 4-11 46-17 27-24 38-9 12-21 40-19 24 4 16 10 29 68 10 50-7 63 7 43 15 10-12 19 10 19 4-4 10 56 15 12 7-2-2-7 11-12 5-35 15-7
7654-1288-2 28 9 10-4 9 6 5 4-17-13-35
6975-829-18-7 8 13 14 3 6-6-10-3
6836-690 8 1-7-15 11-5-3-6-28 4 4 18 12 9 3-6
6523-584 7-7-28 2 13 22 8-17
6531-569 32 10 14-13-30-24-21 15-7 21 12-9
5659-1303-12 26 12-26
6880-1787 26-6-22-2-12-9-34 2-11 8 5 7 35 7 12-1 1-6
7557-1175 5-14-10 12 5 2
6830-569-4-3 13 21-9-18
7252-2039 64-19 26 0 8 8 23 0 26 11 12-4 6-68-6 12-10-14-5-20 3-25-10-3-7 10 8 5-11 4-6-10-8 12-3-21-12 3 4-6-10-17-42 4-2 8 10 3-16 1-20 19-14 34 13-13 3 7-9 11-5-3 0 9-24 31-6 21 4 15 16-5
7196-2006-4 11 8 16 7-19-11-8
7400-1988 15-11 1-10-11-4-17 19 12 6
7416-2015 4-9-19 5 15 4
3685-2657-12-2-10 10 29-7-7-1
-2910-1624 1-24-12-8-6-27 7-27-6-5 12-19 37-17 18-17-10-27 15-20 18-4 0-29-41-56-32-18-147-28-61 10 2-22 12-7-6 0 5-4-3-18-13-19 8-24-8-11-28-10-33-3-63 21-13-7 8-61 22-8-2-8 8-1 16 2 2 7-9 2 22 5 9-8 0-21-21-9-22 18-25-7-2-5 35-10-26-11-21-20-1-39-18-15 0-17-27 2-38-15-33-40 5-19 36-28 46-8 4-20-22-13 20-6-82-51-23-51-17-6-20 17 0-9-16-3 19-1 9-7-26-11-21-32 8 1 7-27-20-2 25-5 26-34
-3431-2633 19-21-10 1-2-10 16-2 7-13 36-24 53-25 53-7-15-12-52-6-107 9
-3228-2736 37 0-47-5 10 5
611-288-10 38
587-863 1 71 13 16 27 104 21 33 31 25 9 23 3 45-42 94 18 18 1 15-28 71-27 42 39 13
-111 1755 27 4 63 34 19-1 18 16 47 18 67 4 59 15 49 0 27-13 59 22 22-8 16 2-2 7 36-12 33 4
1000 1985-7 17-27 18 7 0-6 13 12 56-12 4
-2286-3026 27-11-39 7 12 4
-9000-4500 17930 0-17930 0
-9000-4218 415-9 210-15 552-17-50 13 49 2-7 2-426 22-5 1 74 4-46 7 33 7-47 11-142 0-68 18-254 32 59-6 62 4 170-19 140 0 59-12 66 7 46-10 138-1 121 15-33 6 111 7 103 20 19 7-85 25 38 12-154 19 56 9 390 12 5 3-56 6-4 6-68 12 18 10 95 4-6 7 18 4-148 20-53 11-2 6-119 4-80 15-18 5 109 19-148 3-29 6-33 15 13 14 1 17 19 4 35-8 46 7 70-1 45-5 23-10 87 0 100-19 78 17-34 9 3 8 10 1 43-11 40 3 26-11 36 0-6 10 14 4-22 7 16 5-5 11-80 15-63-3-53 7 67 13 144-15-47 15 20 11 63 2 57 14 63 3 72-12-17 10 103 19 126 0 21 16 43 7 78-8 87 5 93-7 159 10 274-2 93 4 51 13 172-4 30 29 56-9-13-14 21-5-28-9-11-17 121 9 6 2-11 9 5 4-5 12 31 4 44-9 3-9-15-15-46-15 5-4 237-6 86 11 89 1 71-1 33-15 114 5 10 7-96 15 23 11-11 9-51 0-23 23-52 7-2 12 104-6 91 7-77 13-123 4-24 23 45 4 10-5-6-7 36-2 183-1 81-13 108-1 71 8 95-8 24 4 7 13 48 5 11 9 17 1 29-5-18-17 7-5 51 1 30-8 50 8 41-15 140-18 44 6 7 5-1 20 42-9-14 17 9 7 46-8 37-20 96 2 5-5-19-13 5-1 87 10 65-3 54 13 205 17 58 13 42 37-32 29-12 42-35 33-4 19-11 10 66 1 20 13-21 15 13 4 5 16 12 11-17 11 23 23-43 1 2 21 23 9 7-16 20-1 0 30 37 3 4 11-5 6 8 7 22 1-4 6 37 2-6 11 41 10-13 13 16 12 35-5-3 10 30 5 1 9 13-4 30 7 39 26 174 43 15-2 15-16-17-3-2 8-15-2-40-12-39-24 12-3-5-3 6-8-34 9-9-12-16 7-55-27-32 0 6-10-28-8 19-11-27-14 15-14 54 10 18-3-22-6 5-5-6-7-21 10-16-14-18 11-28-2-4-3 11-16-4-4-32 22-25-1 5-5-21-14 16-11-46 4-10-11 5-5-12-5 10-4-34-4 4-14-9-11 7-6-9-7 40 1-31-11 23-3-8-11 54-8-4 10 12 4 49 3-42-10 22-9-6-11 44-22 9-17 22-15-3-8-10 2-8-6 44-6-25-12 2-9 32 2 18-19-50-21 37 5 11-5-2-8-61-10 77-3-1-17-27-2 0-7 37-4 8-16 18 3-5-17-48-2-46 9 18-18 28-2 14-9-20-12-25 2-7-6 40-4-40-8 57-1-34-11-43 4 19-17-14-7-52 12-1-11-36-5 29-2 5-6-52-7 51-5-5-3-151-28-146-17-45-16-80-4-222 9-52-6 52-29 43-10 126-6-20-15-39-10-68-3-260 20-49-4 186-26 21-4-1-6-21-9-121-4-115 20-59 22 28-21-27-3 25-16 80-16 38-20 18-1 3 10 17 3 196-6 9-12-26-14-155-5 74-8 89 3 34-14 32-24 103-3 117 15 45-17 60 0 150-25 161-6 10-3-127-1-46-3 74-7-100-5 15-2-4-9 10-5 40-5 220 9-111-16 41-23 35-1-19-17 9-3 95-3 186 49 91 14 281 15 105-2 11-11-24-15 37-2 105 11 112 49 133 21 79-9 62 8 32 12 200 11 15 7 74 6 298 11 9 5-328 13-12 6-6 16-134-3-126 14-36 8-1 8 38 29 47 16 24 15 73 14 28-1 156 40 234 30 298 16-23 10 66 43 88-1 55 23-82 1 14 8-29 6 4 11 42 16 64-1 16 6-15 13 54-2 86 18 27 26-3 7-56 7-10 12 21 5 55-14 39 21-15 6 4 4 51-12 30-25 46 7 6 16-14 14 6 5 91 6 18-7-25-15-2-8 175 0 30-6 48 9 26-23 54 22 68 14 275 25 14 7 42-6 31 15 128-29 61 27-15 8 22 0 38-14 99 1 29 9 16-13 71-7 16 12 28 4 10-4-9-19 19-12 83 4 32 29 33-11-4-11 35-6 52 20 18-6 0-8 19-10 87-6 175 36 131 15 18 19-21 27 4 11 41 9 37-1-19-20 39 0 38-29 61 2 27-9 33 5 55-23-1 9 42 29 8 23 18 8 110 22 27 13 172 24-4 11 12 7 40-5-12-11 18-7 36 1 9-14 13 9 0 14 29 15-25 0-13 9 39 5 66-13-2 19-14 11 5 8 77 21 90 8 81-5 94-33-18-5-34 5 17-12-34-17 18-3 73 12 56-10 26-13 61 5 110-13 51 7 231-19 62 6 2-14 19-21-22-14 5-25-37-7 14-14-5-10-45 1-46-22 34-7 54 5 11-6-3-13-15-17-42-18-30-30-27-47-20-9 41-9 33 11 0 16 22 12 57 7 86 38 25 41 49 20 3 15 25 13 31 5 31-7 54 2 24 18 85 21 33 22 4 11 24 11 213 29 59 24 62-2 113 19 86-2 119 16 100-9 38 9 35-7 78 7 31-5 27 7 30-11 25 2 76 14 25 19 65 6 339-52 58 19-2 10 16 12 110 14 30-6 32-22 49-10 16-11-18-12-65-10-3-7 5-4 135 20 100-7 83 10-73-17 11-3 117 14 35 12 89 13 43-5 52 17 40-7 11-13 33-15 72-2 13 3 25 29 19 8 166 11 37-10 6-10 53 18 60-16 39 5 47-11 185-12 35-11 52 7 9-11 22 4 14-6-32-36 57 12 43 0 42-17-1-16 15-4 68-5 124 5 17-23 14 6 76-8 31 7 4 19 6 1 81-35 98-14 23 6 92-17 17-11 5-12 41-17 19-25 39-11 4 4-13 26 33 7 33-16 53 5 158-15 31-18 99-23 14 11 21-22-32-4-9-9-4-14 15 1-3-9-89 9 70-17-14-17-25-7-33 7-61-4-35 10 19-14 43-9-92-10 12-7-38-7-11 25-15-1-3-8 11-18-10-5 31-27-83 0-17 9-40-22-9-21-76-5 65-6 2-8 29-11-19-16 14-3 5-12-7-5 4-9-16-11 32-4 26-17 8-16 37-13-26-13 32-5 40 14 12-13 70-11 0-8-121 4-100-15-49 18-8-7 23-17-54-2-20-7 8-11-33-8 18-6-23-4 34-12-99-20 103-1-6-7 15-8-28-2 23-6 0-15-13-7 118-26 43-16-126-11 6-5 87-2 86 9 119-22 24-12 50-1-47-11 22-4 147-4 44-10 385-31-17981-5
-2261-3941 80-1 33-32-1-16-14-9-25-2 13-4-1-5-313-29-219-4-10 5 1 10 47 23 55-2 98 33-2 7-18 3 12 17 13 5-7 3 65 37 141 12 83-12 41-15-8-13-71-10 7-1
-2987-4017-4-20-38-10-105 5-23 12-56-7-126 22 257-2 22 4-20 3-4 9 55 14 35-2 9-5-4-11 23-5-21-7
-3503-3459-1-7 19 0 14-13 55-67 4-45-15-17-33-19-158-7-35 12 16 8 93-4 34 7-73-2-12 7 54 11-50 4-22 9-33-14-43 4 12-9-23-8-69 18 2 9 12 4 35-4-1 9 6 3 41-9 5 3-11 8 69 1-42 11 17 2 50-3 67 10 25-9 0 12-65 11 43 15 35-2-35 12-40-2-30 7-8 8 7 24-20 15 14 9 72 8 16-9 2-11
-4905-3596-3-10 29 12 5-6-5-5 12-4 24 16 24 1 13-3-43-16 65 8 7-9-2-8-25-3 1-6-105 1-208 24 105 12 22-10 58 14 26-8
-6028-3688 14-11-35-9-1-8-64-4-33 5 9 4-6 6 13 7-36 6 16 8 123-4
-6317-3664 54-19-27-7 63 3 25-7-6-3 18-7-2-7-62 2-58 14-17 11-32-2-10 14 8 7 46 1
-7953-3990-140 5-121 23 8 12 43 14 44-2 135-32 31-15 0-5
8354-3866 114-10-42-8-56 2-33-11-26 17 20 7-10 6 4 4 24 0 5-7
-1556-3990 17 8 58-13-40-6-79 14 16 5 28-8
-1697-3966-133 2 53 10 80-12
-3517-3984-59 3-13 9 16 16 42 11 157 27 38-1-127-41-21-12-3-9-30-3
-2892-3203 18 5 13-13-10-4 6-3-20 3-10-6-20 5 14 4-6 7-15-1 26 16 7-3-3-10
-2776-3159 22-7-71-2 23 10 26-1
-2899-3096 17-5-46-11-22 2 16 10 35 4
-3159-3223-5-6 22 0-45-13-27 7 40 22 13-3 2-7
-3116-3221-23-3 14 11-6 7 8 5 20-6-13-14
-3399-3374-42-14-16 12 40 36 31 8-13-17 15-8-28-12 13-5
-3685-3532 7-4-47-13-84-8-16 7 69 12 8 8 18-10 10 11 35-3
-3749-3486 27-11-21-12-47 7 6 8 35 8
-3718-3655-15-9 15-9-11-8-66 14-10 9 41 5-23 9 18 3 52-5 6-4-7-5
-4558-3659-18-1 8 15-15 14 43 0-5-10 6-9-19-9
8382-3907-68-8-13 10 42-5 32 10 7-7
5049-3284-35 4 16 10 33-6-14-8
1343-3519-25-3-20 9 32 9 13-15
-295-3528-13-3-14 8 23 2 4-7
-164-3527-11 3 16 9 25-4-3-6-27-2
-3309-4004-81 27 89-4 22-8 4-9-34-6
-3363-3973-65 1 26 11 49-2-10-10
-2758-3061-14 6 38-1-24-5
-2794-3177-18 4 26-2-8-2
-2862-3228-10 5 27 6-17-11
-2803-3154-15-4-13 6 28-2
-2869-3190 14-2-29 1 15 1
-3100-3486-28 27 37-10-9-17
-3031-3128 39-3-19-6-8 6-38-1 17 8 9-4
-3599-3485-49 9 25 3 24-12
-4751-3633-13 1 36 9 7-8-30-2
-5227-3658-17-2-13 10 8 3 22-11
-5977-3706-18 2 12 5-7 8 46-3-33-12
-6368-3731-28 4-11 11 50-8-11-7
-8100-4156-52 1-38 13 108-9-18-5
-8023-4079-175 9 75 4 100-13
8199-3742-12 6 24 6-12-12
8148-3778-18-5 18 5
8492-3680-18 3 15 11 9-10-6-4
8242-3377-10 2 2 12 11-8-3-6
8131-3324-16 4 0 7 16-11
4831-3302 20-6-36-1 16 7
5170-3272-11-1-21 15 19-1 13-13
4630-3290-18 3 18-3
4291-3348-25 9 24 0 7-6-6-3
4327-3338-15 1 21 1-6-2
3423-3615 10 10 9-3-19-7
3600-3532-17 7-1 8 8 4 14-13-4-6
2427-3339-12 1 24 1-12-2
811-3500-33 7 18 7 35-2-20-12
152-3530-23 3 33 7-10-10
-148-3561-18 1-4 7 22-8
65-3513-7-6-11 14 24 3-6-11
-127-3538 22-3-34-17-1 9-10 6-29 8 52-3
226-3524-17 1-6 8 22 2 6-5-5-6
-1030-3694-2-14 11-8-3-9-17 2-17 16-44 2 46 8 21 16 9-5-4-8
-805-3634-18 1-3 6 11 3 10-10
-625-3609-23 6 9 3 14-9
-1617-3984-12 1 10 6 22-1-20-6
-3037-3536-10 9 24 0-14-9
-3028-3553-19 5 16 2 3-7
-3033-3193-16 1 13 9 8-2-5-8
-3166-3243-12-2 19 8-7-6
-3292-3292-17 1 11 12 16 2-10-15
-3367-3388-20 5 30 1-10-6
-3585-3513 18-3-17-6-6 8 5 1
-3694-3668-13 2 15 10 15 0-17-12
-5837-3708-33 2 62 11-29-13
-6619-3722-24-1 24 1
-6553-3729-55 8 20 5 39-5-4-8
-7379-3832-21 3 21-3
-7262-3786-46 7 20 3 26-10
-7330-3848-24-2-2 7 48-4-22-1
-7430-3850-35 4 43-3-8-1
-7467-3836 51-3-57 1 6 2
-7461-3867 15-2-37 4 22-2
-7512-3839-32 2 40 0-8-2
-7334-3812-37 8 37-8
-7339-3832-29 1 11 4 18-5
-7520-3868-56 4 25 3 31-7
-7697-4002-91 11 91-11
-7462-3856-77 7 45 5 32-12
-7899-4105-51 16 58-13-7-3

0 1 2 3
-3 4 5 6 7 8 9
10 11 12
13
14
15 16 17 18
19
20 21 22 23
24
25
26
27
28
29
30
31
32
33 34 35 36 37
38 39 40
41
42
43
44
45
46
47
48
49 50 51 52
53
54
55
56
57
58
59
60
61
62
63
64
65
66
67
68
69
70
71
72
73
74
75
76
77
78
79
80
81
82
83
84
85
86
87
88
89
90 91 92 93 94
95
96
97
98
99
100
101
102
103
104
105
106
107
108
109
110
111
112
113
114
115
116
117
118
119
120 121
122
123 124 125 126 127
128 129 130 131 132 133 134 135 136 137 138
139
140 141 142 143 144
-37 145 146 147 148
149 150 151 152 153 154 155
156 157 158
159 160 161
162
163 164 165 166
167 168
169 170
171
172 173 174 175 176 177
178
179
-8 180 181 182-141 183 184 185 186
187
-35 188 189 190
191
-155 192 193 194 195 196
197 198 199 200 201 202
203
204
205 206 207
208 209
210 211 212 213
-144 214 215 216 217 218
-217 219 220 221 222 223 224 225
226
227
228
229
230 231 232 233 234 235
236
237
238
239
240
241 242
243
-1 244-210 245 246 247 248
249
250 251 252 253
-253 254 255 256
257
258
259
260
261
262
263
264
265
266
-136 267 268 269 270
271 272 273 274 275
276 277 278
279
280 281 282 283 284 285 286 287
288 289 290 291 292 293 294
295
296
-12 297 298 299 300 301 302 303-126 304
305
306
307
308
-142-183 309 310
311
312
313
314
315
316
317
318
319 320 321 322 323 324 325 326 327-139 328 329 330 331 332 333 334
335
336
337
338
339
340
341
342
343
344
345
346
347
348
349
350
351
352
353
354
355
356
357
358
359
360
361
362
363
364
365
366
367
368
369
370
371
372
373
374
375
376
377
378
379
380
381
382
383
384
385
386
387
388
389
390
391
392
393
394
395
396
397
398
399
400
401
402 403 404 405 406
-130 407
-132 408 409-288 410-134 411
-303 412
413
-235 414
415
416
417
-137-271 418 419 420 421 422-405 423 424
425
426
427
428
429
430
431
432
433
434
435
436
437
438
439
440
441
442
443
444
445
446 447 448 449 450 451
452 453 454
455
456
457 458
459
460
461
462
463
464
465
466
467
468
469
470
471 472 473 474
475 476 477 478 479 480
481
-13-305-125 482
-128 483
-206 484-334 485
486
487
488
489
490
491
492
493
494
495
496
497
498
499
500
501
502
503
504
505
506
507
508
-242 509 510-320 511
512 513 514 515 516
-517 517 518 519 520 521 522
523 524 525 526
527
528
529
530
531
532 533 534
535 536
537
538 539
-5 540-248 541 542
-4-10 543-186 544-246-209-245
545 546 547
548 549 550-547
-284 551 552 553 554 555
-322 556
-133-412
-93 558 559 560 561
562
563
564
565
566
-295 567-550 568 569
-289-570 570-520 571 572 573
-176 574
575 576 577 578 579
-9-187-544
580
581
-282 582 583 584 585
586 587 588
-407 589
-404 590 591 592-424
-160 594 595-222 596-522 597
-277 598 599 600
-250
-196 601 602
-592 603 604-330 605
-18 606-173 607 608
-34 609 610-189
611
-301 612 613
-283-586 614-552
615
-145-219 616-251 617-184
-38-149 618-324 619-610
-194 620-299 621 622 623 624
625
626
627
628
629
630
631
632
633
634
635
636
-201 637-274 638 639
640
641
-195-625 642-623 643 644 645 646-602
-646 647 648
-624-643
-121 649
-154 650 651-613-300-621-193
652
-147 653-479 654-651-153 655 656 657 658
659
660
661
662
663
664
665
666
667
668
669
670
671
672
673
674
675
676
677
678
679
680
681
682
683
684
685
-576 686
687
688
689
-168 690-171 691
692
693
694
-458 695
696
697
698
699
700
701
702
703
704
705
706
707
708
709
710
711
712
713
714
715
716
717
718
719
720
721
722
723
724
-477 725 726-539 727 728 729 730 731 732
733
734
735
736
-135-411-287 737-276 738-268
-527 739 740 741 742
743 744
745
-21 746-213 747
-291 748 749
-279 750-749-290-574 751-599
-561 752 753-742 754 755
756
757
758
759
760
761
762
763
764
765
766
767
768
-158 769 770-584 771
-166 772 773 774 775 776
-203 777-587 778-535 779 780 781-420 782 783
784
-422 785
786
-150 787-327 788 789
-293 790
791 792 793 794
795
-202-640 796-558 797-233 798-231 799 800-588-778
801
802
803
804
-211 805 806
807
808
809
810
811
812
-207-486-333 813
814
815
816
817
818
-218-226 819 820-255-252-617
-605 821-331
822
823
-225 824 825-820
826
827
-794 828 829
-741 830-755
-223-596 831-648-645 832
-451 833 834
835
836
837
838
-744 839
840
-256-821-826 841
842
843
844
845
846
847
848
849
850
851
852
853
854
855
856
857
858
859
-781 860
861
862
863
864
865
-270 866-783-419
867 868
-868 869
870
871
872
-272-738-286 873 874
875
876
877
878
879
880
881
882
-555 883 884
-573 885-776 886-600-752
-474 887-525 888
-7 889 890 891 892 893-215-143-311 894-181
-792 895 896-893 897 898
899
900
-23 901-452-835 902-472 903
904
905
-19-609 906-730 907-728-540-727 908-481 909-190-611-620-323-557-321-511 910 911 912 913 914
915
-912 916
-449 917 918 919
920 921
922
923
924
925
926
927
928
929
930
931
932
933
934
935
936
937
938
939
940
-221 941 942-513-523-597
-216-894-897 943-942-220
944
945
946
947
948
949
-53 950-95 951
952
953
954
955
956
957
958
959
960
961
962
963
964
965
966
967
968
969
970
-91 971
972
973
974
975
976
977
978
979
980
981
982
983
984
985
986
987
988
989
990
991
992
993
-51 994
995
996
997
998
999
1000
1001
1002
1003
1004
1005
1006
1007
1008
1009
1010
1011
1012
1013
1014
1015
1016
1017
1018
1019
1020
1021
1022
1023
1024
1025
1026
1027
1028
1029
1030
1031
1032
1033
1034
1035
1036
1037
1038
1039
1040
1041
1042
1043
1044
1045
1046
1047
1048
1049
1050
-514-943-944-896-795-830 1051
-17 1052-174-607
-178 1053 1054-731-907-608
1055
1056
-182-895-310
-167-777-886-572-519 1057
-159-772-583-281-410 1058
-579 1059
-578 1060
-22-748-212-807 1061-41 1062-453 1063-447-902
1064
1065
1066
1067
1068
1069
1070
-2-249-541
-556-885 1071-874-285
-448-1064-455 1072-918
-729-908
-164-1058-518-516 1073
-560 1074-753
-533-779-589-801 1075-536
-138-425-593-606-329
-732-1055 1076
1077
1078
1079
1080
1081
1082
1083
1084
1085
1086
1087
1088
1089
1090
-152 1091-656
-658 1092-789-326 1093
-198-784-867-269-739-275-638-200-594
1094
1095
1096
1097
1098
1099
1100
1101
1102
1103
1104
1105
1106
1107
1108
-151-790-1093-657-1092
-40 1109-919-1073-454-1063
-921 1110
1111
-892 1112-898
-6-543 1113-890
-161-598-521-571-569-549-546 1114
-553-615-585-771 1115
-36-191-910-480-654-146
-476-909-726
1116
1117
1118
1119
1120
1121
1122
1123
1124
1125
1126
1127
1128
1129
1130
1131
1132
1133
1134
1135
1136
1137
1138
1139
1140
1141
1142
1143
1144
1145
1146
1147
1148
1149
1150
1151
1152
1153
1154
1155
1156
1157
1158
1159
1160
1161
1162
1163
1164
1165
1166
1167
1168
1169
1170
1171
1172
1173
1174
1175
1176
1177
1178
1179
1180
1181
1182
1183
1184
1185
1186
1187
1188
1189
1190
1191
1192
1193
1194
1195
1196
1197
1198
1199
1200
1201
1202
1203
1204
1205
1206
1207`;var Oi=50,Li=85;function ar(e){return(e+180)/360}function ur(e){let t=Math.max(-Li,Math.min(Li,e));return .5-Math.log(Math.tan(Math.PI/4+t*Math.PI/360))/(2*Math.PI)}function Ni(e,t,n){let[o,r,i,l]=[1,1,0,0];for(let{x:c,y:f}of e)[o,i]=[Math.min(o,c),Math.max(i,c)],[r,l]=[Math.min(r,f),Math.max(l,f)];if(o>i)return null;let a=.85*Math.min(t/Math.max(i-o,.005),n/Math.max(l-r,.005));return{x:(o+i)/2,y:(r+l)/2,scale:a}}var K2=null;function cr(){if(K2)return K2;let[e="",t=""]=Ai.split(`

`),n=e.split(`
`).map(H0),o=i=>{let l=new Path2D;for(let a of i)for(let[c,{x:f,y:p}]of a.entries())c?l.lineTo(f,p):l.moveTo(f,p);return l},r=i=>$i(i).flatMap(l=>l<0?[...n[-1-l]??[]].reverse():n[l]??[]);return K2={land:o(t.split(`
`).map(r)),lines:o(n)},K2}function H0(e){let t=$i(e),[n,o]=[0,0];return Array.from({length:t.length/2},(r,i)=>(n+=(t[2*i]??0)/Oi,o+=(t[2*i+1]??0)/Oi,{x:ar(n),y:ur(o)}))}function $i(e){return(e.match(/-?\d+/g)??[]).map(Number)}var U0=40,B0=300,j0=4e6,K0=60,G0=1e4,G2=class{constructor(t){this.canvas=t}canvas;things=new Map;part={x:.5,y:.4,scale:900};isChosen=!1;isDue=!1;selected=null;get count(){return this.things.size}put(t,{latitude:n,longitude:o,direction:r,label:i}){let[l,a]=[ar(o),ur(n)],c=this.things.get(t);c?((c.x!==l||c.y!==a)&&(c.trail.push({x:c.x,y:c.y}),c.trail.length>U0&&c.trail.shift()),Object.assign(c,{x:l,y:a,direction:r,label:i,toldMs:performance.now()})):this.things.set(t,{x:l,y:a,direction:r,label:i,toldMs:performance.now(),trail:[]}),this.changed()}remove(t){this.things.delete(t)&&this.changed()}retain(t){for(let n of this.things.keys())t.has(n)||this.things.delete(n);this.changed()}select(t){this.selected=t,this.changed()}fit(){this.isChosen=!1,this.changed()}move(t,n){this.isChosen=!0,this.part={...this.part,x:this.part.x-t/this.part.scale,y:this.part.y-n/this.part.scale},this.changed()}zoom(t,n=this.canvas.clientWidth/2,o=this.canvas.clientHeight/2){this.isChosen=!0;let{x:r,y:i,scale:l}=this.part,a=Math.max(B0,Math.min(j0,l*t)),[c,f]=[n-this.canvas.clientWidth/2,o-this.canvas.clientHeight/2];this.part={x:r+c/l-c/a,y:i+f/l-f/a,scale:a},this.changed()}at(t,n){let o=null,r=14;for(let[i,l]of this.things){let a=Math.hypot(this.across(l.x)-t,this.down(l.y)-n);a<r&&([o,r]=[i,a])}return o}changed(){this.isDue||(this.isDue=!0,requestAnimationFrame(()=>{this.isDue=!1,this.draw()}))}across(t){return(t-this.part.x)*this.part.scale+this.canvas.clientWidth/2}down(t){return(t-this.part.y)*this.part.scale+this.canvas.clientHeight/2}draw(){let{canvas:t}=this,n=t.getContext("2d"),[o,r,i]=[t.clientWidth,t.clientHeight,devicePixelRatio];if(!n||!o)return;(t.width!==Math.round(o*i)||t.height!==Math.round(r*i))&&([t.width,t.height]=[Math.round(o*i),Math.round(r*i)]),this.isChosen||(this.part=Ni(this.things.values(),o,r)??this.part);let l=getComputedStyle(t),a=c=>l.getPropertyValue(`--${c}`).trim();n.setTransform(i,0,0,i,0,0),n.fillStyle=a("map-sea"),n.fillRect(0,0,o,r),this.drawWorld(n,i,a("map-land"),a("map-line")),this.drawThings(n,a("colour-1"),a("colour-2"),a("ink"))}drawWorld(t,n,o,r){let{x:i,y:l,scale:a}=this.part,[c,f]=[this.canvas.clientWidth,this.canvas.clientHeight];t.save(),t.setTransform(a*n,0,0,a*n,(c/2-i*a)*n,(f/2-l*a)*n),t.lineWidth=1/a,t.fillStyle=o,t.fill(cr().land),t.strokeStyle=r,t.stroke(cr().lines),t.restore()}drawThings(t,n,o,r){let[i,l]=[this.canvas.clientWidth,this.canvas.clientHeight],a=[];for(let[c,f]of this.things){let[p,h]=[this.across(f.x),this.down(f.y)];p>-20&&h>-20&&p<i+20&&h<l+20&&a.push([c,f,p,h])}for(let[c,f,p,h]of a){t.strokeStyle=t.fillStyle=c===this.selected?o:n,t.lineWidth=1.5,t.globalAlpha=.4,t.beginPath();for(let b of f.trail)t.lineTo(this.across(b.x),this.down(b.y));t.lineTo(p,h),t.stroke(),t.globalAlpha=c===this.selected||performance.now()-f.toldMs<G0?1:.35,Q0(t,p,h,f.direction)}t.globalAlpha=1,t.font="11px system-ui, sans-serif",t.fillStyle=r;for(let[c,f,p,h]of a)(a.length<=K0||c===this.selected)&&t.fillText(f.label,p+9,h+4)}};function Q0(e,t,n,o){if(e.beginPath(),o===void 0)e.arc(t,n,3.5,0,2*Math.PI);else{let r=o*Math.PI/180,[i,l]=[Math.sin(r),Math.cos(r)];for(let[a,c]of[[0,-8],[5,6],[0,3],[-5,6]])e.lineTo(t+a*l-c*i,n+a*i+c*l);e.closePath()}e.fill()}var Fi="lastvalue-theme",qi=matchMedia("(prefers-color-scheme: dark)"),Vi=g1(qi.matches);qi.addEventListener("change",e=>Vi.value=e.matches);var fr=g1(Y0()),rt=Pt(()=>fr.value??(Vi.value?"dark":"light"));ft(()=>{document.documentElement.dataset.theme=rt.value});function Ii(){fr.value=rt.value==="dark"?"light":"dark";try{localStorage.setItem(Fi,fr.value)}catch{}}function Y0(){try{let e=localStorage.getItem(Fi);return e==="light"||e==="dark"?e:null}catch{return null}}var Q2=60,c2=1.4;function J0({parameters:e,query:t}){let n=e.queue??"",o=se(null),r=se(null),i=y1(()=>({newest:new Map,selected:g1(null),count:g1(0)}),[]),l=se(t);l.current=t;let a=y1(()=>{let S=(C,y)=>{let M=G=>Ce(G,y,l.current.get(G)),P=Re(y,M("latitude")),W=Re(y,M("longitude"));if(P===void 0||W===void 0)return;let A=Z(y[M("label")])||C;r.current?.put(C,{latitude:P,longitude:W,direction:Re(y,M("direction")),label:A})};return{put:S,take:C=>{let[y,M]=[String(C.key),Mt(C)];i.newest.set(y,M),S(y,M)},remove:C=>{i.newest.delete(C),r.current?.remove(C)},retain:C=>{for(let y of i.newest.keys())C.has(y)||i.newest.delete(y);r.current?.retain(C)}}},[]);l1(()=>{let S=o.current;if(!S)return;let C=r.current=new G2(S),y=new ResizeObserver(()=>C.changed());y.observe(S);let M=e4(S,C,W=>i.selected.value=W),P=setInterval(()=>i.count.value=C.count,500);return()=>{y.disconnect(),M(),clearInterval(P)}},[]),l1(()=>{for(let[S,C]of i.newest)a.put(S,C)},[t.toString()]),l1(()=>r.current?.changed(),[rt.value]);let{problem:c,isLive:f,rate:p,sample:h}=Cn(n,a),b=i.selected.value;if(l1(()=>r.current?.select(b),[b]),c.value)return s(o1,{problem:c.value});let g=h.value?Mt(h.value):{},w=Object.keys(g).filter(S=>Re(g,S)!==void 0),k=Ce("label",g,t.get("label"));return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:n}),s(u2,{queue:n,fields:g,current:"map"}),s("div",{class:"actions",children:s(B2,{isLive:f.value,rate:p.value})})]}),s("div",{class:"tools",children:[["latitude","longitude","direction"].map(S=>s(jt,{label:S,name:S,value:Ce(S,g,t.get(S)),choices:w},S)),s(jt,{label:"label",name:"label",value:k,choices:Object.keys(g)}),s("span",{class:"muted",children:[V(i.count.value)," on the map"]})]}),s("div",{class:"map",children:[s("canvas",{ref:o,tabIndex:0,role:"application","aria-label":`Map of ${n}. Arrow keys move it, plus and minus zoom, 0 shows everything.`,onKeyDown:S=>X0(S,r.current)}),s("div",{class:"map-buttons",children:[s("button",{type:"button","aria-label":"Zoom in",onClick:()=>r.current?.zoom(c2),children:"+"}),s("button",{type:"button","aria-label":"Zoom out",onClick:()=>r.current?.zoom(1/c2),children:"−"}),s("button",{type:"button",onClick:()=>r.current?.fit(),children:"All"})]}),b!==null&&s(Z0,{name:b,fields:i.newest.get(b)??{},onClose:()=>i.selected.value=null})]}),s("p",{class:"muted small",children:"Outlines: Natural Earth, public domain."})]})}function Z0({name:e,fields:t,onClose:n}){return s("aside",{class:"map-details","aria-label":`Fields of ${e}`,children:[s("header",{children:[s("strong",{children:e}),s("button",{type:"button",class:"plain","aria-label":"Close",onClick:n,children:"×"})]}),s("dl",{children:Object.entries(t).map(([o,r])=>s("div",{children:[s("dt",{children:o}),s("dd",{children:Z(r)})]},o))})]})}function X0(e,t){let o={ArrowLeft:()=>t?.move(Q2,0),ArrowRight:()=>t?.move(-Q2,0),ArrowUp:()=>t?.move(0,Q2),ArrowDown:()=>t?.move(0,-Q2),"+":()=>t?.zoom(c2),"=":()=>t?.zoom(c2),"-":()=>t?.zoom(1/c2),0:()=>t?.fit()}[e.key];!o||e.ctrlKey||e.metaKey||e.altKey||(e.preventDefault(),o())}function e4(e,t,n){let o=new AbortController,r={signal:o.signal},i=0;return e.addEventListener("pointerdown",l=>(i=0,e.setPointerCapture(l.pointerId)),r),e.addEventListener("pointermove",l=>{e.hasPointerCapture(l.pointerId)&&(i+=Math.abs(l.movementX)+Math.abs(l.movementY),i>3&&t.move(l.movementX,l.movementY))},r),e.addEventListener("click",l=>i<=3&&n(t.at(l.offsetX,l.offsetY)),r),e.addEventListener("wheel",l=>{l.preventDefault(),t.zoom(Math.exp(-l.deltaY/400),l.offsetX,l.offsetY)},{...r,passive:!1}),()=>o.abort()}var Wi={path:"queues/:queue/map",title:"Map",inNavigation:!1,view:J0};var t4="uplot",n4="u-hz",o4="u-vt",r4="u-title",s4="u-wrap",i4="u-under",l4="u-over",a4="u-axis",Qt="u-off",u4="u-select",c4="u-cursor-x",f4="u-cursor-y",d4="u-cursor-pt",p4="u-legend",m4="u-live",h4="u-inline",g4="u-series",v4="u-marker",zi="u-label",b4="u-value",d2="width",p2="height";var Hi="bottom",Rn="left",dr="right",Rr="#000",Ui=Rr+"0",pr="mousemove",Bi="mousedown",mr="mouseup",ji="mouseenter",Ki="mouseleave",Gi="dblclick",y4="resize",_4="scroll",Qi="change",eo="dppxchange",Er="--",$n=typeof window<"u",yr=$n?document:null,Dn=$n?window:null,w4=$n?navigator:null,v1,Y2;function _r(){let e=devicePixelRatio;v1!=e&&(v1=e,Y2&&xr(Qi,Y2,_r),Y2=matchMedia(`(min-resolution: ${v1-.001}dppx) and (max-resolution: ${v1+.001}dppx)`),Yt(Qi,Y2,_r),Dn.dispatchEvent(new CustomEvent(eo)))}function Ee(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function wr(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function L1(e,t,n){e.style[t]=n+"px"}function Ke(e,t,n,o){let r=yr.createElement(e);return t!=null&&Ee(r,t),n?.insertBefore(r,o),r}function Ie(e,t){return Ke("div",e,t)}var Yi=new WeakMap;function st(e,t,n,o,r){let i="translate("+t+"px,"+n+"px)",l=Yi.get(e);i!=l&&(e.style.transform=i,Yi.set(e,i),t<0||n<0||t>o||n>r?Ee(e,Qt):wr(e,Qt))}var Ji=new WeakMap;function Zi(e,t,n){let o=t+n,r=Ji.get(e);o!=r&&(Ji.set(e,o),e.style.background=t,e.style.borderColor=n)}var Xi=new WeakMap;function el(e,t,n,o){let r=t+""+n,i=Xi.get(e);r!=i&&(Xi.set(e,r),e.style.height=n+"px",e.style.width=t+"px",e.style.marginLeft=o?-t/2+"px":0,e.style.marginTop=o?-n/2+"px":0)}var Dr={passive:!0},x4={...Dr,capture:!0};function Yt(e,t,n,o){t.addEventListener(e,n,o?x4:Dr)}function xr(e,t,n,o){t.removeEventListener(e,n,Dr)}$n&&_r();function Ge(e,t,n,o){let r;n=n||0,o=o||t.length-1;let i=o<=2147483647;for(;o-n>1;)r=i?n+o>>1:De((n+o)/2),t[r]<e?n=r:o=r;return e-t[n]<=t[o]-e?n:o}function Cl(e){return(n,o,r)=>{let i=-1,l=-1;for(let a=o;a<=r;a++)if(e(n[a])){i=a;break}for(let a=r;a>=o;a--)if(e(n[a])){l=a;break}return[i,l]}}var Rl=e=>e!=null,El=e=>e!=null&&e>0,oo=Cl(Rl),k4=Cl(El);function S4(e,t,n,o=0,r=!1){let i=r?k4:oo,l=r?El:Rl;[t,n]=i(e,t,n);let a=e[t],c=e[t];if(t>-1)if(o==1)a=e[t],c=e[n];else if(o==-1)a=e[n],c=e[t];else for(let f=t;f<=n;f++){let p=e[f];l(p)&&(p<a?a=p:p>c&&(c=p))}return[a??C1,c??-C1]}function ro(e,t,n,o){let r=ol(e),i=ol(t);e==t&&(r==-1?(e*=n,t/=n):(e/=n,t*=n));let l=n==10?pt:Dl,a=r==1?De:We,c=i==1?We:De,f=a(l(J1(e))),p=c(l(J1(t))),h=An(n,f),b=An(n,p);return n==10&&(f<0&&(h=R1(h,-f)),p<0&&(b=R1(b,-p))),o||n==2?(e=h*r,t=b*i):(e=Nl(e,h),t=so(t,b)),[e,t]}function Ar(e,t,n,o){let r=ro(e,t,n,o);return e==0&&(r[0]=0),t==0&&(r[1]=0),r}var Or=.1,tl={mode:3,pad:Or},h2={pad:0,soft:null,mode:0},P4={min:h2,max:h2};function to(e,t,n,o){return io(n)?nl(e,t,n):(h2.pad=n,h2.soft=o?0:null,h2.mode=o?3:0,nl(e,t,P4))}function m1(e,t){return e??t}function T4(e,t,n){for(t=m1(t,0),n=m1(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function nl(e,t,n){let o=n.min,r=n.max,i=m1(o.pad,0),l=m1(r.pad,0),a=m1(o.hard,-C1),c=m1(r.hard,C1),f=m1(o.soft,C1),p=m1(r.soft,-C1),h=m1(o.mode,0),b=m1(r.mode,0),g=t-e,w=pt(g),k=ye(J1(e),J1(t)),S=pt(k),C=J1(S-w);(g<1e-24||C>10)&&(g=0,(e==0||t==0)&&(g=1e-24,h==2&&f!=C1&&(i=0),b==2&&p!=-C1&&(l=0)));let y=g||k||1e3,M=pt(y),P=An(10,De(M)),W=y*(g==0?e==0?.1:1:i),A=R1(Nl(e-W,P/10),24),G=e>=f&&(h==1||h==3&&A<=f||h==2&&A>=f)?f:C1,U=ye(a,A<G&&e>=G?G:Qe(G,A)),r1=y*(g==0?t==0?.1:1:l),K=R1(so(t+r1,P/10),24),D=t<=p&&(b==1||b==3&&K>=p||b==2&&K<=p)?p:-C1,Q=Qe(c,K>D&&t<=D?D:ye(D,K));return U==Q&&U==0&&(Q=100),[U,Q]}var M4=new Intl.NumberFormat($n?w4.language:"en-US"),Lr=e=>M4.format(e),Ae=Math,X2=Ae.PI,J1=Ae.abs,De=Ae.floor,Y1=Ae.round,We=Ae.ceil,Qe=Ae.min,ye=Ae.max,An=Ae.pow,ol=Ae.sign,pt=Ae.log10,Dl=Ae.log2,C4=(e,t=1)=>Ae.sinh(e)*t,hr=(e,t=1)=>Ae.asinh(e/t),C1=1/0;function rl(e){return(pt((e^e>>31)-(e>>31))|0)+1}function kr(e,t,n){return Qe(ye(e,t),n)}function Al(e){return typeof e=="function"}function u1(e){return Al(e)?e:()=>e}var R4=()=>{},Ol=e=>e,Ll=(e,t)=>t,E4=e=>null,sl=e=>!0,il=(e,t)=>e==t,D4=/\.\d*?(?=9{6,}|0{6,})/gm,Jt=e=>{if(Fl(e)||Rt.has(e))return e;let t=`${e}`,n=t.match(D4);if(n==null)return e;let o=n[0].length-1;if(t.indexOf("e-")!=-1){let[r,i]=t.split("e");return+`${Jt(r)}e${i}`}return R1(e,o)};function Kt(e,t){return Jt(R1(Jt(e/t))*t)}function so(e,t){return Jt(We(Jt(e/t))*t)}function Nl(e,t){return Jt(De(Jt(e/t))*t)}function R1(e,t=0){if(Fl(e))return e;let n=10**t,o=e*n*(1+Number.EPSILON);return Y1(o)/n}var Rt=new Map;function $l(e){return((""+e).split(".")[1]||"").length}function v2(e,t,n,o){let r=[],i=o.map($l);for(let l=t;l<n;l++){let a=J1(l),c=R1(An(e,l),a);for(let f=0;f<o.length;f++){let p=e==10?+`${o[f]}e${l}`:o[f]*c,h=(l>=0?0:a)+(l>=i[f]?0:i[f]),b=e==10?p:R1(p,h);r.push(b),Rt.set(b,h)}}return r}var g2={},Nr=[],On=[null,null],Ct=Array.isArray,Fl=Number.isInteger,A4=e=>e===void 0;function ll(e){return typeof e=="string"}function io(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function O4(e){return e!=null&&typeof e=="object"}var L4=Object.getPrototypeOf(Uint8Array),ql="__proto__";function Ln(e,t=io){let n;if(Ct(e)){let o=e.find(r=>r!=null);if(Ct(o)||t(o)){n=Array(e.length);for(let r=0;r<e.length;r++)n[r]=Ln(e[r],t)}else n=e.slice()}else if(e instanceof L4)n=e.slice();else if(t(e)){n={};for(let o in e)o!=ql&&(n[o]=Ln(e[o],t))}else n=e;return n}function j1(e){let t=arguments;for(let n=1;n<t.length;n++){let o=t[n];for(let r in o)r!=ql&&(io(e[r])?j1(e[r],Ln(o[r])):e[r]=Ln(o[r]))}return e}var N4=0,$4=1,F4=2;function q4(e,t,n){for(let o=0,r,i=-1;o<t.length;o++){let l=t[o];if(l>i){for(r=l-1;r>=0&&e[r]==null;)e[r--]=null;for(r=l+1;r<n&&e[r]==null;)e[i=r++]=null}}}function V4(e,t){if(z4(e)){let l=e[0].slice();for(let a=1;a<e.length;a++)l.push(...e[a].slice(1));return H4(l[0])||(l=W4(l)),l}let n=new Set;for(let l=0;l<e.length;l++){let c=e[l][0],f=c.length;for(let p=0;p<f;p++)n.add(c[p])}let o=[Array.from(n).sort((l,a)=>l-a)],r=o[0].length,i=new Map;for(let l=0;l<r;l++)i.set(o[0][l],l);for(let l=0;l<e.length;l++){let a=e[l],c=a[0];for(let f=1;f<a.length;f++){let p=a[f],h=Array(r).fill(void 0),b=t?t[l][f]:$4,g=[];for(let w=0;w<p.length;w++){let k=p[w],S=i.get(c[w]);k===null?b!=N4&&(h[S]=k,b==F4&&g.push(S)):h[S]=k}q4(h,g,r),o.push(h)}}return o}var I4=typeof queueMicrotask>"u"?e=>Promise.resolve().then(e):queueMicrotask;function W4(e){let t=e[0],n=t.length,o=Array(n);for(let i=0;i<o.length;i++)o[i]=i;o.sort((i,l)=>t[i]-t[l]);let r=[];for(let i=0;i<e.length;i++){let l=e[i],a=Array(n);for(let c=0;c<n;c++)a[c]=l[o[c]];r.push(a)}return r}function z4(e){let t=e[0][0],n=t.length;for(let o=1;o<e.length;o++){let r=e[o][0];if(r.length!=n)return!1;if(r!=t){for(let i=0;i<n;i++)if(r[i]!=t[i])return!1}}return!0}function H4(e,t=100){let n=e.length;if(n<=1)return!0;let o=0,r=n-1;for(;o<=r&&e[o]==null;)o++;for(;r>=o&&e[r]==null;)r--;if(r<=o)return!0;let i=ye(1,De((r-o+1)/t));for(let l=e[o],a=o+i;a<=r;a+=i){let c=e[a];if(c!=null){if(c<=l)return!1;l=c}}return!0}var Vl=["January","February","March","April","May","June","July","August","September","October","November","December"],Il=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Wl(e){return e.slice(0,3)}var U4=Il.map(Wl),B4=Vl.map(Wl),j4={MMMM:Vl,MMM:B4,WWWW:Il,WWW:U4};function f2(e){return(e<10?"0":"")+e}function K4(e){return(e<10?"00":e<100?"0":"")+e}var G4={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+"").slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>f2(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>f2(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>f2(e.getHours()),H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?"PM":"AM",aa:e=>e.getHours()>=12?"pm":"am",a:e=>e.getHours()>=12?"p":"a",mm:e=>f2(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>f2(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>K4(e.getMilliseconds())};function $r(e,t){t=t||j4;let n=[],o=/\{([a-z]+)\}|[^{]+/gi,r;for(;r=o.exec(e);)n.push(r[0][0]=="{"?G4[r[1]]:r[0]);return i=>{let l="";for(let a=0;a<n.length;a++)l+=typeof n[a]=="string"?n[a]:n[a](i,t);return l}}var Q4=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Y4(e,t){let n;return t=="UTC"||t=="Etc/UTC"?n=new Date(+e+e.getTimezoneOffset()*6e4):t==Q4?n=e:(n=new Date(e.toLocaleString("en-US",{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var zl=e=>e%1==0,no=[1,2,2.5,5],J4=v2(10,-32,0,no),Hl=v2(10,0,32,no),Z4=Hl.filter(zl),Gt=J4.concat(Hl),Fr=`
`,Ul="{YYYY}",al=Fr+Ul,Bl="{M}/{D}",m2=Fr+Bl,J2=m2+"/{YY}",jl="{aa}",X4="{h}:{mm}",En=X4+jl,ul=Fr+En,cl=":{ss}",w1=null;function Kl(e){let t=e*1e3,n=t*60,o=n*60,r=o*24,i=r*30,l=r*365,c=(e==1?v2(10,0,3,no).filter(zl):v2(10,-3,0,no)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,o,o*2,o*3,o*4,o*6,o*8,o*12,r,r*2,r*3,r*4,r*5,r*6,r*7,r*8,r*9,r*10,r*15,i,i*2,i*3,i*4,i*6,l,l*2,l*5,l*10,l*25,l*50,l*100]),f=[[l,Ul,w1,w1,w1,w1,w1,w1,1],[r*28,"{MMM}",al,w1,w1,w1,w1,w1,1],[r,Bl,al,w1,w1,w1,w1,w1,1],[o,"{h}"+jl,J2,w1,m2,w1,w1,w1,1],[n,En,J2,w1,m2,w1,w1,w1,1],[t,cl,J2+" "+En,w1,m2+" "+En,w1,ul,w1,1],[e,cl+".{fff}",J2+" "+En,w1,m2+" "+En,w1,ul,w1,1]];function p(h){return(b,g,w,k,S,C)=>{let y=[],M=S>=l,P=S>=i&&S<l,W=h(w),A=R1(W*e,3),G=gr(W.getFullYear(),M?0:W.getMonth(),P||M?1:W.getDate()),U=R1(G*e,3);if(P||M){let r1=P?S/i:0,K=M?S/l:0,D=A==U?A:R1(gr(G.getFullYear()+K,G.getMonth()+r1,1)*e,3),Q=new Date(Y1(D/e)),L=Q.getFullYear(),X=Q.getMonth();for(let j=0;D<=k;j++){let c1=gr(L+K*j,X+r1*j,1),B=c1-h(R1(c1*e,3));D=R1((+c1+B)*e,3),D<=k&&y.push(D)}}else{let r1=S>=r?r:S,K=De(w)-De(A),D=U+K+so(A-U,r1);y.push(D);let Q=h(D),L=Q.getHours()+Q.getMinutes()/n+Q.getSeconds()/o,X=S/o,j=b.axes[g]._space,c1=C/j;for(;D=R1(D+S,e==1?0:3),!(D>k);)if(X>1){let B=De(R1(L+X,6))%24,d1=h(D).getHours()-B;d1>1&&(d1=-1),D-=d1*o,L=(L+X)%24;let k1=y[y.length-1];R1((D-k1)/S,3)*c1>=.7&&y.push(D)}else y.push(D)}return y}}return[c,f,p]}var[eu,tu,nu]=Kl(1),[ou,ru,su]=Kl(.001);v2(2,-53,53,[1]);function fl(e,t){return e.map(n=>n.map((o,r)=>r==0||r==8||o==null?o:t(r==1||n[8]==0?o:n[1]+o)))}function dl(e,t){return(n,o,r,i,l)=>{let a=t.find(w=>l>=w[0])||t[t.length-1],c,f,p,h,b,g;return o.map(w=>{let k=e(w),S=k.getFullYear(),C=k.getMonth(),y=k.getDate(),M=k.getHours(),P=k.getMinutes(),W=k.getSeconds(),A=S!=c&&a[2]||C!=f&&a[3]||y!=p&&a[4]||M!=h&&a[5]||P!=b&&a[6]||W!=g&&a[7]||a[1];return c=S,f=C,p=y,h=M,b=P,g=W,A(k)})}}function iu(e,t){let n=$r(t);return(o,r,i,l,a)=>r.map(c=>n(e(c)))}function gr(e,t,n){return new Date(e,t,n)}function pl(e,t){return t(e)}var lu="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function ml(e,t){return(n,o,r,i)=>i==null?Er:t(e(o))}function au(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function uu(e,t){return e.series[t].fill(e,t)}var cu={show:!0,live:!0,isolate:!1,mount:R4,markers:{show:!0,width:2,stroke:au,fill:uu,dash:"solid"},idx:null,idxs:null,values:[]};function fu(e,t){let n=e.cursor.points,o=Ie(),r=n.size(e,t);L1(o,d2,r),L1(o,p2,r);let i=r/-2;L1(o,"marginLeft",i),L1(o,"marginTop",i);let l=n.width(e,t,r);return l&&L1(o,"borderWidth",l),o}function du(e,t){let n=e.series[t].points;return n._fill||n._stroke}function pu(e,t){let n=e.series[t].points;return n._stroke||n._fill}function mu(e,t){return e.series[t].points.size}var vr=[0,0];function hu(e,t,n){return vr[0]=t,vr[1]=n,vr}function Z2(e,t,n,o=!0){return r=>{r.button==0&&(!o||r.target==t)&&n(r)}}function br(e,t,n,o=!0){return r=>{(!o||r.target==t)&&n(r)}}var gu={show:!0,x:!0,y:!0,lock:!1,move:hu,points:{one:!1,show:fu,size:mu,width:0,stroke:pu,fill:du},bind:{mousedown:Z2,mouseup:Z2,click:Z2,dblclick:Z2,mousemove:br,mouseleave:br,mouseenter:br},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,o,r)=>o-r,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Gl={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},qr=j1({},Gl,{filter:Ll}),Ql=j1({},qr,{size:10}),Yl=j1({},Gl,{show:!1}),Vr='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Jl="bold "+Vr,Zl=1.5,hl={show:!0,scale:"x",stroke:Rr,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Jl,side:2,grid:qr,ticks:Ql,border:Yl,font:Vr,lineGap:Zl,rotate:0},vu="Value",bu="Time",gl={show:!0,scale:"x",auto:!1,sorted:1,min:C1,max:-C1,idxs:[]};function yu(e,t,n,o,r){return t.map(i=>i==null?"":Lr(i))}function _u(e,t,n,o,r,i,l){let a=[],c=Rt.get(r)||0;n=l?n:R1(so(n,r),c);for(let f=n;f<=o;f=R1(f+r,c))a.push(Object.is(f,-0)?0:f);return a}function Sr(e,t,n,o,r,i,l){let a=[],c=e.scales[e.axes[t].scale].log,f=c==10?pt:Dl,p=De(f(n));r=An(c,p),c==10&&(r=Gt[Ge(r,Gt)]);let h=n,b=r*c;c==10&&(b=Gt[Ge(b,Gt)]);do a.push(h),h=h+r,c==10&&!Rt.has(h)&&(h=R1(h,Rt.get(r))),h>=b&&(r=h,b=r*c,c==10&&(b=Gt[Ge(b,Gt)]));while(h<=o);return a}function wu(e,t,n,o,r,i,l){let c=e.scales[e.axes[t].scale].asinh,f=o>c?Sr(e,t,ye(c,n),o,r):[c],p=o>=0&&n<=0?[0]:[];return(n<-c?Sr(e,t,ye(c,-o),-n,r):[c]).reverse().map(b=>-b).concat(p,f)}var Xl=/./,xu=/[12357]/,ku=/[125]/,vl=/1/,Pr=(e,t,n,o)=>e.map((r,i)=>t==4&&r==0||i%o==0&&n.test(r.toExponential()[r<0?1:0])?r:null);function Su(e,t,n,o,r){let i=e.axes[n],l=i.scale,a=e.scales[l],c=e.valToPos,f=i._space,p=c(10,l),h=c(9,l)-p>=f?Xl:c(7,l)-p>=f?xu:c(5,l)-p>=f?ku:vl;if(h==vl){let b=J1(c(1,l)-p);if(b<f)return Pr(t.slice().reverse(),a.distr,h,We(f/b)).reverse()}return Pr(t,a.distr,h,1)}function Pu(e,t,n,o,r){let i=e.axes[n],l=i.scale,a=i._space,c=e.valToPos,f=J1(c(1,l)-c(2,l));return f<a?Pr(t.slice().reverse(),3,Xl,We(a/f)).reverse():t}function Tu(e,t,n,o){return o==null?Er:t==null?"":Lr(t)}var bl={show:!0,scale:"y",stroke:Rr,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Jl,side:3,grid:qr,ticks:Ql,border:Yl,font:Vr,lineGap:Zl,rotate:0};function Mu(e,t){let n=3+(e||1)*2;return R1(n*t,3)}function Cu(e,t){let{scale:n,idxs:o}=e.series[0],r=e._data[0],i=e.valToPos(r[o[0]],n,!0),l=e.valToPos(r[o[1]],n,!0),a=J1(l-i),c=e.series[t],f=a/(c.points.space*v1);return o[1]-o[0]<=f}var yl={scale:null,auto:!0,sorted:0,min:C1,max:-C1},ea=(e,t,n,o,r)=>r,_l={show:!0,auto:!0,sorted:0,gaps:ea,alpha:1,facets:[j1({},yl,{scale:"x"}),j1({},yl,{scale:"y"})]},wl={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:ea,alpha:1,points:{show:Cu,filter:null},values:null,min:C1,max:-C1,idxs:[],path:null,clip:null};function Ru(e,t,n,o,r){return n/10}var ta={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Eu=j1({},ta,{time:!1,ori:1}),xl={};function na(e,t){let n=xl[e];return n||(n={key:e,plots:[],sub(o){n.plots.push(o)},unsub(o){n.plots=n.plots.filter(r=>r!=o)},pub(o,r,i,l,a,c,f){for(let p=0;p<n.plots.length;p++)n.plots[p]!=r&&n.plots[p].pub(o,r,i,l,a,c,f)}},e!=null&&(xl[e]=n)),n}var Nn=1,Tr=2;function Zt(e,t,n){let o=e.mode,r=e.series[t],i=o==2?e._data[t]:e._data,l=e.scales,a=e.bbox,c=i[0],f=o==2?i[1]:i[t],p=o==2?l[r.facets[0].scale]:l[e.series[0].scale],h=o==2?l[r.facets[1].scale]:l[r.scale],b=a.left,g=a.top,w=a.width,k=a.height,S=e.valToPosH,C=e.valToPosV;return p.ori==0?n(r,c,f,p,h,S,C,b,g,w,k,ao,Fn,co,ra,ia):n(r,c,f,p,h,C,S,g,b,k,w,uo,qn,zr,sa,la)}function Ir(e,t){let n=0,o=0,r=m1(e.bands,Nr);for(let i=0;i<r.length;i++){let l=r[i];l.series[0]==t?n=l.dir:l.series[1]==t&&(l.dir==1?o|=1:o|=2)}return[n,o==1?-1:o==2?1:o==3?2:0]}function Du(e,t,n,o,r){let i=e.mode,l=e.series[t],a=i==2?l.facets[1].scale:l.scale,c=e.scales[a];return r==-1?c.min:r==1?c.max:c.distr==3?c.dir==1?c.min:c.max:0}function mt(e,t,n,o,r,i){return Zt(e,t,(l,a,c,f,p,h,b,g,w,k,S)=>{let C=l.pxRound,y=f.dir*(f.ori==0?1:-1),M=f.ori==0?Fn:qn,P,W;y==1?(P=n,W=o):(P=o,W=n);let A=C(h(a[P],f,k,g)),G=C(b(c[P],p,S,w)),U=C(h(a[W],f,k,g)),r1=C(b(i==1?p.max:p.min,p,S,w)),K=new Path2D(r);return M(K,U,r1),M(K,A,r1),M(K,A,G),K})}function lo(e,t,n,o,r,i){let l=null;if(e.length>0){l=new Path2D;let a=t==0?co:zr,c=n;for(let h=0;h<e.length;h++){let b=e[h];if(b[1]>b[0]){let g=b[0]-c;g>0&&a(l,c,o,g,o+i),c=b[1]}}let f=n+r-c,p=10;f>0&&a(l,c,o-p/2,f,o+i+p)}return l}function Au(e,t,n){let o=e[e.length-1];o&&o[0]==t?o[1]=n:e.push([t,n])}function Wr(e,t,n,o,r,i,l){let a=[],c=e.length;for(let f=r==1?n:o;f>=n&&f<=o;f+=r)if(t[f]===null){let h=f,b=f;if(r==1)for(;++f<=o&&t[f]===null;)b=f;else for(;--f>=n&&t[f]===null;)b=f;let g=i(e[h]),w=b==h?g:i(e[b]),k=h-r;g=l<=0&&k>=0&&k<c?i(e[k]):g;let C=b+r;w=l>=0&&C>=0&&C<c?i(e[C]):w,w>=g&&a.push([g,w])}return a}function kl(e){return e==0?Ol:e==1?Y1:t=>Kt(t,e)}function oa(e){let t=e==0?ao:uo,n=e==0?(r,i,l,a,c,f)=>{r.arcTo(i,l,a,c,f)}:(r,i,l,a,c,f)=>{r.arcTo(l,i,c,a,f)},o=e==0?(r,i,l,a,c)=>{r.rect(i,l,a,c)}:(r,i,l,a,c)=>{r.rect(l,i,c,a)};return(r,i,l,a,c,f=0,p=0)=>{f==0&&p==0?o(r,i,l,a,c):(f=Qe(f,a/2,c/2),p=Qe(p,a/2,c/2),t(r,i+f,l),n(r,i+a,l,i+a,l+c,f),n(r,i+a,l+c,i,l+c,p),n(r,i,l+c,i,l,p),n(r,i,l,i+a,l,f),r.closePath())}}var ao=(e,t,n)=>{e.moveTo(t,n)},uo=(e,t,n)=>{e.moveTo(n,t)},Fn=(e,t,n)=>{e.lineTo(t,n)},qn=(e,t,n)=>{e.lineTo(n,t)},co=oa(0),zr=oa(1),ra=(e,t,n,o,r,i)=>{e.arc(t,n,o,r,i)},sa=(e,t,n,o,r,i)=>{e.arc(n,t,o,r,i)},ia=(e,t,n,o,r,i,l)=>{e.bezierCurveTo(t,n,o,r,i,l)},la=(e,t,n,o,r,i,l)=>{e.bezierCurveTo(n,t,r,o,l,i)};function aa(e){return(t,n,o,r,i)=>Zt(t,n,(l,a,c,f,p,h,b,g,w,k,S)=>{let{pxRound:C,points:y}=l,M,P;f.ori==0?(M=ao,P=ra):(M=uo,P=sa);let W=R1(y.width*v1,3),A=(y.size-y.width)/2*v1,G=R1(A*2,3),U=new Path2D,r1=new Path2D,{left:K,top:D,width:Q,height:L}=t.bbox;co(r1,K-G,D-G,Q+G*2,L+G*2);let X=j=>{if(c[j]!=null){let c1=C(h(a[j],f,k,g)),B=C(b(c[j],p,S,w));M(U,c1+A,B),P(U,c1,B,A,0,X2*2)}};if(i)i.forEach(X);else for(let j=o;j<=r;j++)X(j);return{stroke:W>0?U:null,fill:U,clip:r1,flags:Nn|Tr}})}function ua(e){return(t,n,o,r,i,l)=>{o!=r&&(i!=o&&l!=o&&e(t,n,o),i!=r&&l!=r&&e(t,n,r),e(t,n,l))}}var Ou=ua(Fn),Lu=ua(qn);function ca(e){let t=m1(e?.alignGaps,0);return(n,o,r,i)=>Zt(n,o,(l,a,c,f,p,h,b,g,w,k,S)=>{[r,i]=oo(c,r,i);let C=l.pxRound,y=L=>C(h(L,f,k,g)),M=L=>C(b(L,p,S,w)),P,W;f.ori==0?(P=Fn,W=Ou):(P=qn,W=Lu);let A=f.dir*(f.ori==0?1:-1),G={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Nn},U=G.stroke,r1=!1;if(i-r>=k*4){let L=z=>n.posToVal(z,f.key,!0),X=null,j=null,c1,B,_e,N1=y(a[A==1?r:i]),d1=y(a[r]),k1=y(a[i]),s1=L(A==1?d1+1:k1-1);for(let z=A==1?r:i;z>=r&&z<=i;z+=A){let K1=a[z],$1=(A==1?K1<s1:K1>s1)?N1:y(K1),b1=c[z];$1==N1?b1!=null?(B=b1,X==null?(P(U,$1,M(B)),c1=X=j=B):B<X?X=B:B>j&&(j=B)):b1===null&&(r1=!0):(X!=null&&W(U,N1,M(X),M(j),M(c1),M(B)),b1!=null?(B=b1,P(U,$1,M(B)),X=j=c1=B):(X=j=null,b1===null&&(r1=!0)),N1=$1,s1=L(N1+A))}X!=null&&X!=j&&_e!=N1&&W(U,N1,M(X),M(j),M(c1),M(B))}else for(let L=A==1?r:i;L>=r&&L<=i;L+=A){let X=c[L];X===null?r1=!0:X!=null&&P(U,y(a[L]),M(X))}let[D,Q]=Ir(n,o);if(l.fill!=null||D!=0){let L=G.fill=new Path2D(U),X=l.fillTo(n,o,l.min,l.max,D),j=M(X),c1=y(a[r]),B=y(a[i]);A==-1&&([B,c1]=[c1,B]),P(L,B,j),P(L,c1,j)}if(!l.spanGaps){let L=[];r1&&L.push(...Wr(a,c,r,i,A,y,t)),G.gaps=L=l.gaps(n,o,r,i,L),G.clip=lo(L,f.ori,g,w,k,S)}return Q!=0&&(G.band=Q==2?[mt(n,o,r,i,U,-1),mt(n,o,r,i,U,1)]:mt(n,o,r,i,U,Q)),G})}function Nu(e){let t=m1(e.align,1),n=m1(e.ascDesc,!1),o=m1(e.alignGaps,0),r=m1(e.extend,!1);return(i,l,a,c)=>Zt(i,l,(f,p,h,b,g,w,k,S,C,y,M)=>{[a,c]=oo(h,a,c);let P=f.pxRound,{left:W,width:A}=i.bbox,G=d1=>P(w(d1,b,y,S)),U=d1=>P(k(d1,g,M,C)),r1=b.ori==0?Fn:qn,K={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Nn},D=K.stroke,Q=b.dir*(b.ori==0?1:-1),L=U(h[Q==1?a:c]),X=G(p[Q==1?a:c]),j=X,c1=X;r&&t==-1&&(c1=W,r1(D,c1,L)),r1(D,X,L);for(let d1=Q==1?a:c;d1>=a&&d1<=c;d1+=Q){let k1=h[d1];if(k1==null)continue;let s1=G(p[d1]),z=U(k1);t==1?r1(D,s1,L):r1(D,j,z),r1(D,s1,z),L=z,j=s1}let B=j;r&&t==1&&(B=W+A,r1(D,B,L));let[_e,N1]=Ir(i,l);if(f.fill!=null||_e!=0){let d1=K.fill=new Path2D(D),k1=f.fillTo(i,l,f.min,f.max,_e),s1=U(k1);r1(d1,B,s1),r1(d1,c1,s1)}if(!f.spanGaps){let d1=[];d1.push(...Wr(p,h,a,c,Q,G,o));let k1=f.width*v1/2,s1=n||t==1?k1:-k1,z=n||t==-1?-k1:k1;d1.forEach(K1=>{K1[0]+=s1,K1[1]+=z}),K.gaps=d1=f.gaps(i,l,a,c,d1),K.clip=lo(d1,b.ori,S,C,y,M)}return N1!=0&&(K.band=N1==2?[mt(i,l,a,c,D,-1),mt(i,l,a,c,D,1)]:mt(i,l,a,c,D,N1)),K})}function Sl(e,t,n,o,r,i,l=C1){if(e.length>1){let a=null;for(let c=0,f=1/0;c<e.length;c++)if(t[c]!==void 0){if(a!=null){let p=J1(e[c]-e[a]);p<f&&(f=p,l=J1(n(e[c],o,r,i)-n(e[a],o,r,i)))}a=c}}return l}function $u(e){e=e||g2;let t=m1(e.size,[.6,C1,1]),n=e.align||0,o=e.gap||0,r=e.radius;r=r==null?[0,0]:typeof r=="number"?[r,0]:r;let i=u1(r),l=1-t[0],a=m1(t[1],C1),c=m1(t[2],1),f=m1(e.disp,g2),p=m1(e.each,g=>{}),{fill:h,stroke:b}=f;return(g,w,k,S)=>Zt(g,w,(C,y,M,P,W,A,G,U,r1,K,D)=>{let Q=C.pxRound,L=n,X=o*v1,j=a*v1,c1=c*v1,B,_e;P.ori==0?[B,_e]=i(g,w):[_e,B]=i(g,w);let N1=P.dir*(P.ori==0?1:-1),d1=P.ori==0?co:zr,k1=P.ori==0?p:(F,E1,G1,sn,Lt,Je,Nt)=>{p(F,E1,G1,Lt,sn,Nt,Je)},s1=m1(g.bands,Nr).find(F=>F.series[0]==w),z=s1!=null?s1.dir:0,K1=C.fillTo(g,w,C.min,C.max,z),ce=Q(G(K1,W,D,r1)),$1,b1,ze,ke=K,V1=Q(C.width*v1),Ye=!1,lt=null,Oe=null,vt=null,nn=null;h!=null&&(V1==0||b!=null)&&(Ye=!0,lt=h.values(g,w,k,S),Oe=new Map,new Set(lt).forEach(F=>{F!=null&&Oe.set(F,new Path2D)}),V1>0&&(vt=b.values(g,w,k,S),nn=new Map,new Set(vt).forEach(F=>{F!=null&&nn.set(F,new Path2D)})));let{x0:on,size:Un}=f;if(on!=null&&Un!=null){L=1,y=on.values(g,w,k,S),on.unit==2&&(y=y.map(G1=>g.posToVal(U+G1*K,P.key,!0)));let F=Un.values(g,w,k,S);Un.unit==2?b1=F[0]*K:b1=A(F[0],P,K,U)-A(0,P,K,U),ke=Sl(y,M,A,P,K,U,ke),ze=ke-b1+X}else ke=Sl(y,M,A,P,K,U,ke),ze=ke*l+X,b1=ke-ze;ze<1&&(ze=0),V1>=b1/2&&(V1=0),ze<5&&(Q=Ol);let b2=ze>0,At=ke-ze-(b2?V1:0);b1=Q(kr(At,c1,j)),$1=(L==0?b1/2:L==N1?0:b1)-L*N1*((L==0?X/2:0)+(b2?V1/2:0));let fe={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},rn=Ye?null:new Path2D,at=null;if(s1!=null)at=g.data[s1.series[1]];else{let{y0:F,y1:E1}=f;F!=null&&E1!=null&&(M=E1.values(g,w,k,S),at=F.values(g,w,k,S))}let Ot=B*b1,t1=_e*b1;for(let F=N1==1?k:S;F>=k&&F<=S;F+=N1){let E1=M[F];if(E1==null)continue;if(at!=null){let we=at[F]??0;if(E1-we==0)continue;ce=G(we,W,D,r1)}let G1=P.distr!=2||f!=null?y[F]:F,sn=A(G1,P,K,U),Lt=G(m1(E1,K1),W,D,r1),Je=Q(sn-$1),Nt=Q(ye(Lt,ce)),Se=Q(Qe(Lt,ce)),Le=Nt-Se;if(E1!=null){let we=E1<0?t1:Ot,He=E1<0?Ot:t1;Ye?(V1>0&&vt[F]!=null&&d1(nn.get(vt[F]),Je,Se+De(V1/2),b1,ye(0,Le-V1),we,He),lt[F]!=null&&d1(Oe.get(lt[F]),Je,Se+De(V1/2),b1,ye(0,Le-V1),we,He)):d1(rn,Je,Se+De(V1/2),b1,ye(0,Le-V1),we,He),k1(g,w,F,Je-V1/2,Se,b1+V1,Le)}}return V1>0?fe.stroke=Ye?nn:rn:Ye||(fe._fill=C.width==0?C._fill:C._stroke??C._fill,fe.width=0),fe.fill=Ye?Oe:rn,fe})}function Fu(e,t){let n=m1(t?.alignGaps,0);return(o,r,i,l)=>Zt(o,r,(a,c,f,p,h,b,g,w,k,S,C)=>{[i,l]=oo(f,i,l);let y=a.pxRound,M=B=>y(b(B,p,S,w)),P=B=>y(g(B,h,C,k)),W,A,G;p.ori==0?(W=ao,G=Fn,A=ia):(W=uo,G=qn,A=la);let U=p.dir*(p.ori==0?1:-1),r1=M(c[U==1?i:l]),K=r1,D=[],Q=[];for(let B=U==1?i:l;B>=i&&B<=l;B+=U)if(f[B]!=null){let N1=c[B],d1=M(N1);D.push(K=d1),Q.push(P(f[B]))}let L={stroke:e(D,Q,W,G,A,y),fill:null,clip:null,band:null,gaps:null,flags:Nn},X=L.stroke,[j,c1]=Ir(o,r);if(a.fill!=null||j!=0){let B=L.fill=new Path2D(X),_e=a.fillTo(o,r,a.min,a.max,j),N1=P(_e);G(B,K,N1),G(B,r1,N1)}if(!a.spanGaps){let B=[];B.push(...Wr(c,f,i,l,U,M,n)),L.gaps=B=a.gaps(o,r,i,l,B),L.clip=lo(B,p.ori,w,k,S,C)}return c1!=0&&(L.band=c1==2?[mt(o,r,i,l,X,-1),mt(o,r,i,l,X,1)]:mt(o,r,i,l,X,c1)),L})}function qu(e){return Fu(Vu,e)}function Vu(e,t,n,o,r,i){let l=e.length;if(l<2)return null;let a=new Path2D;if(n(a,e[0],t[0]),l==2)o(a,e[1],t[1]);else{let c=Array(l),f=Array(l-1),p=Array(l-1),h=Array(l-1);for(let b=0;b<l-1;b++)p[b]=t[b+1]-t[b],h[b]=e[b+1]-e[b],f[b]=p[b]/h[b];c[0]=f[0];for(let b=1;b<l-1;b++)f[b]===0||f[b-1]===0||f[b-1]>0!=f[b]>0?c[b]=0:(c[b]=3*(h[b-1]+h[b])/((2*h[b]+h[b-1])/f[b-1]+(h[b]+2*h[b-1])/f[b]),isFinite(c[b])||(c[b]=0));c[l-1]=f[l-2];for(let b=0;b<l-1;b++)r(a,e[b]+h[b]/3,t[b]+c[b]*h[b]/3,e[b+1]-h[b]/3,t[b+1]-c[b+1]*h[b]/3,e[b+1],t[b+1])}return a}var Mr=new Set;function Pl(){for(let e of Mr)e.syncRect(!0)}$n&&(Yt(y4,Dn,Pl),Yt(_4,Dn,Pl,!0),Yt(eo,Dn,()=>{Z1.pxRatio=v1}));var Iu=ca(),Wu=aa();function Tl(e,t,n,o){return(o?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((i,l)=>Cr(i,l,t,n))}function zu(e,t){return e.map((n,o)=>o==0?{}:j1({},t,n))}function Cr(e,t,n,o){return j1({},t==0?n:o,e)}function fa(e,t,n){return t==null?On:[t,n]}var Hu=fa;function Uu(e,t,n){return t==null?On:to(t,n,Or,!0)}function da(e,t,n,o){return t==null?On:ro(t,n,e.scales[o].log,!1)}var Bu=da;function pa(e,t,n,o){return t==null?On:Ar(t,n,e.scales[o].log,!1)}var ju=pa;function Ku(e,t,n,o,r){let i=ye(rl(e),rl(t)),l=t-e,a=Ge(r/o*l,n);do{let c=n[a],f=o*c/l;if(f>=r&&i+(c<5?Rt.get(c):0)<=17)return[c,f]}while(++a<n.length);return[0,0]}function Ml(e){let t,n;return e=e.replace(/(\d+)px/,(o,r)=>(t=Y1((n=+r)*v1))+"px"),[e,t,n]}function Gu(e){e.show&&[e.font,e.labelFont].forEach(t=>{let n=R1(t[2]*v1,1);t[0]=t[0].replace(/[0-9.]+px/,n+"px"),t[1]=n})}function Z1(e,t,n){let o={mode:m1(e.mode,1)},r=o.mode;function i(u,d,m,v){let _=d.valToPct(u);return v+m*(d.dir==-1?1-_:_)}function l(u,d,m,v){let _=d.valToPct(u);return v+m*(d.dir==-1?_:1-_)}function a(u,d,m,v){return d.ori==0?i(u,d,m,v):l(u,d,m,v)}o.valToPosH=i,o.valToPosV=l;let c=!1;o.status=0;let f=o.root=Ie(t4);if(e.id!=null&&(f.id=e.id),Ee(f,e.class),e.title){let u=Ie(r4,f);u.textContent=e.title}let p=Ke("canvas"),h=o.ctx=p.getContext("2d"),b=Ie(s4,f);Yt("click",b,u=>{u.target===w&&(D1!=vn||F1!=bn)&&le.click(o,u)},!0);let g=o.under=Ie(i4,b);b.appendChild(p);let w=o.over=Ie(l4,b);e=Ln(e);let k=+m1(e.pxAlign,1),S=kl(k);(e.plugins||[]).forEach(u=>{u.opts&&(e=u.opts(o,e)||e)});let C=e.ms||.001,y=o.series=r==1?Tl(e.series||[],gl,wl,!1):zu(e.series||[null],_l),M=o.axes=Tl(e.axes||[],hl,bl,!0),P=o.scales={},W=o.bands=e.bands||[];W.forEach(u=>{u.fill=u1(u.fill||null),u.dir=m1(u.dir,-1)});let A=r==2?y[1].facets[0].scale:y[0].scale,G={axes:b3,series:p3},U=(e.drawOrder||["axes","series"]).map(u=>G[u]);function r1(u){let d=u.distr==3?m=>pt(m>0?m:u.clamp(o,m,u.min,u.max,u.key)):u.distr==4?m=>hr(m,u.asinh):u.distr==100?m=>u.fwd(m):m=>m;return m=>{let v=d(m),{_min:_,_max:x}=u,T=x-_;return(v-_)/T}}function K(u){let d=P[u];if(d==null){let m=(e.scales||g2)[u]||g2;if(m.from!=null){K(m.from);let v=j1({},P[m.from],m,{key:u});v.valToPct=r1(v),P[u]=v}else{d=P[u]=j1({},u==A?ta:Eu,m),d.key=u;let v=d.time,_=d.range,x=Ct(_);if((u!=A||r==2&&!v)&&(x&&(_[0]==null||_[1]==null)&&(_={min:_[0]==null?tl:{mode:1,hard:_[0],soft:_[0]},max:_[1]==null?tl:{mode:1,hard:_[1],soft:_[1]}},x=!1),!x&&io(_))){let T=_;_=(R,E,O)=>E==null?On:to(E,O,T)}d.range=u1(_||(v?Hu:u==A?d.distr==3?Bu:d.distr==4?ju:fa:d.distr==3?da:d.distr==4?pa:Uu)),d.auto=u1(x?!1:d.auto),d.clamp=u1(d.clamp||Ru),d._min=d._max=null,d.valToPct=r1(d)}}}K("x"),K("y"),r==1&&y.forEach(u=>{K(u.scale)}),M.forEach(u=>{K(u.scale)});for(let u in e.scales)K(u);let D=P[A],Q=D.distr,L,X;D.ori==0?(Ee(f,n4),L=i,X=l):(Ee(f,o4),L=l,X=i);let j={};for(let u in P){let d=P[u];(d.min!=null||d.max!=null)&&(j[u]={min:d.min,max:d.max},d.min=d.max=null)}let c1=e.tzDate||(u=>new Date(Y1(u/C))),B=e.fmtDate||$r,_e=C==1?nu(c1):su(c1),N1=dl(c1,fl(C==1?tu:ru,B)),d1=ml(c1,pl(lu,B)),k1=[],s1=o.legend=j1({},cu,e.legend),z=o.cursor=j1({},gu,{drag:{y:r==2}},e.cursor),K1=s1.show,ce=z.show,$1=s1.markers;s1.idxs=k1,$1.width=u1($1.width),$1.dash=u1($1.dash),$1.stroke=u1($1.stroke),$1.fill=u1($1.fill);let b1,ze,ke,V1=[],Ye=[],lt,Oe=!1,vt={};if(s1.live){let u=y[1]?y[1].values:null;Oe=u!=null,lt=Oe?u(o,1,0):{_:0};for(let d in lt)vt[d]=Er}if(K1)if(b1=Ke("table",p4,f),ke=Ke("tbody",null,b1),s1.mount(o,b1),Oe){ze=Ke("thead",null,b1,ke);let u=Ke("tr",null,ze);Ke("th",null,u);for(var nn in lt)Ke("th",zi,u).textContent=nn}else Ee(b1,h4),s1.live&&Ee(b1,m4);let on={show:!0},Un={show:!1};function b2(u,d){if(d==0&&(Oe||!s1.live||r==2))return On;let m=[],v=Ke("tr",g4,ke,ke.childNodes[d]);Ee(v,u.class),u.show||Ee(v,Qt);let _=Ke("th",null,v);if($1.show){let R=Ie(v4,_);if(d>0){let E=$1.width(o,d);E&&(R.style.border=E+"px "+$1.dash(o,d)+" "+$1.stroke(o,d)),R.style.background=$1.fill(o,d)}}let x=Ie(zi,_);u.label instanceof HTMLElement?x.appendChild(u.label):x.textContent=u.label,d>0&&($1.show||(x.style.color=u.width>0?$1.stroke(o,d):$1.fill(o,d)),fe("click",_,R=>{if(z._lock)return;Ft(R);let E=y.indexOf(u);if((R.ctrlKey||R.metaKey)!=s1.isolate){let O=y.some((N,q)=>q>0&&q!=E&&N.show);y.forEach((N,q)=>{q>0&&Xe(q,O?q==E?on:Un:on,!0,U1.setSeries)})}else Xe(E,{show:!u.show},!0,U1.setSeries)},!1),an&&fe(ji,_,R=>{z._lock||(Ft(R),Xe(y.indexOf(u),_n,!0,U1.setSeries))},!1));for(var T in lt){let R=Ke("td",b4,v);R.textContent="--",m.push(R)}return[v,m]}let At=new Map;function fe(u,d,m,v=!0){let _=At.get(d)||{},x=z.bind[u](o,d,m,v);x&&(Yt(u,d,_[u]=x),At.set(d,_))}function rn(u,d,m){let v=At.get(d)||{};for(let _ in v)(u==null||_==u)&&(xr(_,d,v[_]),delete v[_]);u==null&&At.delete(d)}let at=0,Ot=0,t1=0,F=0,E1=0,G1=0,sn=E1,Lt=G1,Je=t1,Nt=F,Se=0,Le=0,we=0,He=0;o.bbox={};let _o=!1,y2=!1,ln=!1,$t=!1,_2=!1,Ne=!1;function wo(u,d,m){(m||u!=o.width||d!=o.height)&&Zr(u,d),pn(!1),ln=!0,y2=!0,mn()}function Zr(u,d){o.width=at=t1=u,o.height=Ot=F=d,E1=G1=0,i3(),l3();let m=o.bbox;Se=m.left=Kt(E1*v1,.5),Le=m.top=Kt(G1*v1,.5),we=m.width=Kt(t1*v1,.5),He=m.height=Kt(F*v1,.5)}let o3=3;function r3(){let u=!1,d=0;for(;!u;){d++;let m=g3(d),v=v3(d);u=d==o3||m&&v,u||(Zr(o.width,o.height),y2=!0)}}function s3({width:u,height:d}){wo(u,d)}o.setSize=s3;function i3(){let u=!1,d=!1,m=!1,v=!1;M.forEach((_,x)=>{if(_.show&&_._show){let{side:T,_size:R}=_,E=T%2,O=_.label!=null?_.labelSize:0,N=R+O;N>0&&(E?(t1-=N,T==3?(E1+=N,v=!0):m=!0):(F-=N,T==0?(G1+=N,u=!0):d=!0))}}),qt[0]=u,qt[1]=m,qt[2]=d,qt[3]=v,t1-=bt[1]+bt[3],E1+=bt[3],F-=bt[2]+bt[0],G1+=bt[0]}function l3(){let u=E1+t1,d=G1+F,m=E1,v=G1;function _(x,T){switch(x){case 1:return u+=T,u-T;case 2:return d+=T,d-T;case 3:return m-=T,m+T;case 0:return v-=T,v+T}}M.forEach((x,T)=>{if(x.show&&x._show){let R=x.side;x._pos=_(R,x._size),x.label!=null&&(x._lpos=_(R,x.labelSize))}})}if(z.dataIdx==null){let u=z.hover,d=u.skip=new Set(u.skip??[]);d.add(void 0);let m=u.prox=u1(u.prox),v=u.bias??=0;z.dataIdx=(_,x,T,R)=>{if(x==0)return T;let E=T,O=m(_,x,T,R)??C1,N=O>=0&&O<C1,q=D.ori==0?t1:F,e1=z.left,h1=t[0],p1=t[x];if(d.has(p1[T])){E=null;let i1=null,J=null,H;if(v==0||v==-1)for(H=T;i1==null&&H-- >0;)d.has(p1[H])||(i1=H);if(v==0||v==1)for(H=T;J==null&&H++<p1.length;)d.has(p1[H])||(J=H);if(i1!=null||J!=null)if(N){let O1=i1==null?-1/0:L(h1[i1],D,q,0),I1=J==null?1/0:L(h1[J],D,q,0),re=e1-O1,S1=I1-e1;re<=S1?re<=O&&(E=i1):S1<=O&&(E=J)}else E=J==null?i1:i1==null?J:T-i1<=J-T?i1:J}else N&&J1(e1-L(h1[T],D,q,0))>O&&(E=null);return E}}let Ft=u=>{z.event=u};z.idxs=k1,z._lock=!1;let ae=z.points;ae.show=u1(ae.show),ae.size=u1(ae.size),ae.stroke=u1(ae.stroke),ae.width=u1(ae.width),ae.fill=u1(ae.fill);let Ze=o.focus=j1({},e.focus||{alpha:.3},z.focus),an=Ze.prox>=0,un=an&&ae.one,$e=[],cn=[],fn=[];function Xr(u,d){let m=ae.show(o,d);if(m instanceof HTMLElement)return Ee(m,d4),Ee(m,u.class),st(m,-10,-10,t1,F),w.insertBefore(m,$e[d]),m}function es(u,d){if(r==1||d>0){let m=r==1&&P[u.scale].time,v=u.value;u.value=m?ll(v)?ml(c1,pl(v,B)):v||d1:v||Tu,u.label=u.label||(m?bu:vu)}if(un||d>0){u.width=u.width==null?1:u.width,u.paths=u.paths||Iu||E4,u.fillTo=u1(u.fillTo||Du),u.pxAlign=+m1(u.pxAlign,k),u.pxRound=kl(u.pxAlign),u.stroke=u1(u.stroke||null),u.fill=u1(u.fill||null),u._stroke=u._fill=u._paths=u._focus=null;let m=Mu(ye(1,u.width),1),v=u.points=j1({},{size:m,width:ye(1,m*.2),stroke:u.stroke,space:m*2,paths:Wu,_stroke:null,_fill:null},u.points);v.show=u1(v.show),v.filter=u1(v.filter),v.fill=u1(v.fill),v.stroke=u1(v.stroke),v.paths=u1(v.paths),v.pxAlign=u.pxAlign}if(K1){let m=b2(u,d);V1.splice(d,0,m[0]),Ye.splice(d,0,m[1]),s1.values.push(null)}if(ce){k1.splice(d,0,null);let m=null;un?d==0&&(m=Xr(u,d)):d>0&&(m=Xr(u,d)),$e.splice(d,0,m),cn.splice(d,0,0),fn.splice(d,0,0)}oe("addSeries",d)}function a3(u,d){d=d??y.length,u=r==1?Cr(u,d,gl,wl):Cr(u,d,{},_l),y.splice(d,0,u),es(y[d],d)}o.addSeries=a3;function u3(u){if(y.splice(u,1),K1){s1.values.splice(u,1),Ye.splice(u,1);let d=V1.splice(u,1)[0];rn(null,d.firstChild),d.remove()}ce&&(k1.splice(u,1),$e.splice(u,1)[0].remove(),cn.splice(u,1),fn.splice(u,1)),oe("delSeries",u)}o.delSeries=u3;let qt=[!1,!1,!1,!1];function c3(u,d){if(u._show=u.show,u.show){let m=u.side%2,v=P[u.scale];v==null&&(u.scale=m?y[1].scale:A,v=P[u.scale]);let _=v.time;u.size=u1(u.size),u.space=u1(u.space),u.rotate=u1(u.rotate),Ct(u.incrs)&&u.incrs.forEach(T=>{!Rt.has(T)&&Rt.set(T,$l(T))}),u.incrs=u1(u.incrs||(v.distr==2?Z4:_?C==1?eu:ou:Gt)),u.splits=u1(u.splits||(_&&v.distr==1?_e:v.distr==3?Sr:v.distr==4?wu:_u)),u.stroke=u1(u.stroke),u.grid.stroke=u1(u.grid.stroke),u.ticks.stroke=u1(u.ticks.stroke),u.border.stroke=u1(u.border.stroke);let x=u.values;u.values=Ct(x)&&!Ct(x[0])?u1(x):_?Ct(x)?dl(c1,fl(x,B)):ll(x)?iu(c1,x):x||N1:x||yu,u.filter=u1(u.filter||(v.distr>=3&&v.log==10?Su:v.distr==3&&v.log==2?Pu:Ll)),u.font=Ml(u.font),u.labelFont=Ml(u.labelFont),u._size=u.size(o,null,d,0),u._space=u._rotate=u._incrs=u._found=u._splits=u._values=null,u._size>0&&(qt[d]=!0,u._el=Ie(a4,b))}}function Bn(u,d,m,v){let[_,x,T,R]=m,E=d%2,O=0;return E==0&&(R||x)&&(O=d==0&&!_||d==2&&!T?Y1(hl.size/3):0),E==1&&(_||T)&&(O=d==1&&!x||d==3&&!R?Y1(bl.size/2):0),O}let ts=o.padding=(e.padding||[Bn,Bn,Bn,Bn]).map(u=>u1(m1(u,Bn))),bt=o._padding=ts.map((u,d)=>u(o,d,qt,0)),ie,X1=null,ee=null,w2=r==1?y[0].idxs:null,Ue=null,jn=!1;function ns(u,d){if(t=u??[],o.data=o._data=t,r==2){ie=0;for(let m=1;m<y.length;m++)ie+=t[m][0].length}else{t.length==0&&(o.data=o._data=t=[[]]),Ue=t[0],ie=Ue.length;let m=t;if(Q==2){m=t.slice();let v=m[0]=Array(ie);for(let _=0;_<ie;_++)v[_]=_}o._data=t=m}if(pn(!0),oe("setData"),Q==2&&(ln=!0),d!==!1){let m=D;m.auto(o,jn)?xo():_t(A,m.min,m.max),$t=$t||z.left>=0,Ne=!0,mn()}}o.setData=ns;function xo(){jn=!0;let u,d;r==1&&(ie>0?(X1=w2[0]=0,ee=w2[1]=ie-1,u=t[0][X1],d=t[0][ee],Q==2?(u=X1,d=ee):u==d&&(Q==3?[u,d]=ro(u,u,D.log,!1):Q==4?[u,d]=Ar(u,u,D.log,!1):D.time?d=u+Y1(86400/C):[u,d]=to(u,d,Or,!0))):(X1=w2[0]=u=null,ee=w2[1]=d=null)),_t(A,u,d)}let x2,dn,ko,So,Po,To,Mo,Co,Ro,xe;function os(u,d,m,v,_,x){u??=Ui,m??=Nr,v??="butt",_??=Ui,x??="round",u!=x2&&(h.strokeStyle=x2=u),_!=dn&&(h.fillStyle=dn=_),d!=ko&&(h.lineWidth=ko=d),x!=Po&&(h.lineJoin=Po=x),v!=To&&(h.lineCap=To=v),m!=So&&h.setLineDash(So=m)}function rs(u,d,m,v){d!=dn&&(h.fillStyle=dn=d),u!=Mo&&(h.font=Mo=u),m!=Co&&(h.textAlign=Co=m),v!=Ro&&(h.textBaseline=Ro=v)}function Eo(u,d,m,v,_=0){if(v.length>0&&u.auto(o,jn)&&(d==null||d.min==null)){let x=m1(X1,0),T=m1(ee,v.length-1),R=m.min==null?S4(v,x,T,_,u.distr==3):[m.min,m.max];u.min=Qe(u.min,m.min=R[0]),u.max=ye(u.max,m.max=R[1])}}let ss={min:null,max:null};function f3(){for(let v in P){let _=P[v];j[v]==null&&(_.min==null||j[A]!=null&&_.auto(o,jn))&&(j[v]=ss)}for(let v in P){let _=P[v];j[v]==null&&_.from!=null&&j[_.from]!=null&&(j[v]=ss)}j[A]!=null&&pn(!0);let u={};for(let v in j){let _=j[v];if(_!=null){let x=u[v]=Ln(P[v],O4);if(_.min!=null)j1(x,_);else if(v!=A||r==2)if(ie==0&&x.from==null){let T=x.range(o,null,null,v);x.min=T[0],x.max=T[1]}else x.min=C1,x.max=-C1}}if(ie>0){y.forEach((v,_)=>{if(r==1){let x=v.scale,T=j[x];if(T==null)return;let R=u[x];if(_==0){let E=R.range(o,R.min,R.max,x);R.min=E[0],R.max=E[1],X1=Ge(R.min,t[0]),ee=Ge(R.max,t[0]),ee-X1>1&&(t[0][X1]<R.min&&X1++,t[0][ee]>R.max&&ee--),v.min=Ue[X1],v.max=Ue[ee]}else v.show&&v.auto&&Eo(R,T,v,t[_],v.sorted);v.idxs[0]=X1,v.idxs[1]=ee}else if(_>0&&v.show&&v.auto){let[x,T]=v.facets,R=x.scale,E=T.scale,[O,N]=t[_],q=u[R],e1=u[E];q!=null&&Eo(q,j[R],x,O,x.sorted),e1!=null&&Eo(e1,j[E],T,N,T.sorted),v.min=T.min,v.max=T.max}});for(let v in u){let _=u[v],x=j[v];if(_.from==null&&(x==null||x.min==null)){let T=_.range(o,_.min==C1?null:_.min,_.max==-C1?null:_.max,v);_.min=T[0],_.max=T[1]}}}for(let v in u){let _=u[v];if(_.from!=null){let x=u[_.from];if(x.min==null)_.min=_.max=null;else{let T=_.range(o,x.min,x.max,v);_.min=T[0],_.max=T[1]}}}let d={},m=!1;for(let v in u){let _=u[v],x=P[v];if(x.min!=_.min||x.max!=_.max){x.min=_.min,x.max=_.max;let T=x.distr;x._min=T==3?pt(x.min):T==4?hr(x.min,x.asinh):T==100?x.fwd(x.min):x.min,x._max=T==3?pt(x.max):T==4?hr(x.max,x.asinh):T==100?x.fwd(x.max):x.max,d[v]=m=!0}}if(m){y.forEach((v,_)=>{r==2?_>0&&d.y&&(v._paths=null):d[v.scale]&&(v._paths=null)});for(let v in d)ln=!0,oe("setScale",v);ce&&z.left>=0&&($t=Ne=!0)}for(let v in j)j[v]=null}function d3(u){let d=kr(X1-1,0,ie-1),m=kr(ee+1,0,ie-1);for(;u[d]==null&&d>0;)d--;for(;u[m]==null&&m<ie-1;)m++;return[d,m]}function p3(){if(ie>0){let u=y.some(d=>d._focus)&&xe!=Ze.alpha;u&&(h.globalAlpha=xe=Ze.alpha),y.forEach((d,m)=>{if(m>0&&d.show&&(is(m,!1),is(m,!0),d._paths==null)){let v=xe;xe!=d.alpha&&(h.globalAlpha=xe=d.alpha);let _=r==2?[0,t[m][0].length-1]:d3(t[m]);d._paths=d.paths(o,m,_[0],_[1]),xe!=v&&(h.globalAlpha=xe=v)}}),y.forEach((d,m)=>{if(m>0&&d.show){let v=xe;xe!=d.alpha&&(h.globalAlpha=xe=d.alpha),d._paths!=null&&ls(m,!1);{let _=d._paths!=null?d._paths.gaps:null,x=d.points.show(o,m,X1,ee,_),T=d.points.filter(o,m,x,_);(x||T)&&(d.points._paths=d.points.paths(o,m,X1,ee,T),ls(m,!0))}xe!=v&&(h.globalAlpha=xe=v),oe("drawSeries",m)}}),u&&(h.globalAlpha=xe=1)}}function is(u,d){let m=d?y[u].points:y[u];m._stroke=m.stroke(o,u),m._fill=m.fill(o,u)}function ls(u,d){let m=d?y[u].points:y[u],{stroke:v,fill:_,clip:x,flags:T,_stroke:R=m._stroke,_fill:E=m._fill,_width:O=m.width}=m._paths;O=R1(O*v1,3);let N=null,q=O%2/2;d&&E==null&&(E=O>0?"#fff":R);let e1=m.pxAlign==1&&q>0;if(e1&&h.translate(q,q),!d){let h1=Se-O/2,p1=Le-O/2,i1=we+O,J=He+O;N=new Path2D,N.rect(h1,p1,i1,J)}d?Do(R,O,m.dash,m.cap,E,v,_,T,x):m3(u,R,O,m.dash,m.cap,E,v,_,T,N,x),e1&&h.translate(-q,-q)}function m3(u,d,m,v,_,x,T,R,E,O,N){let q=!1;E!=0&&W.forEach((e1,h1)=>{if(e1.series[0]==u){let p1=y[e1.series[1]],i1=t[e1.series[1]],J=(p1._paths||g2).band;Ct(J)&&(J=e1.dir==1?J[0]:J[1]);let H,O1=null;p1.show&&J&&T4(i1,X1,ee)?(O1=e1.fill(o,h1)||x,H=p1._paths.clip):J=null,Do(d,m,v,_,O1,T,R,E,O,N,H,J),q=!0}}),q||Do(d,m,v,_,x,T,R,E,O,N)}let as=Nn|Tr;function Do(u,d,m,v,_,x,T,R,E,O,N,q){os(u,d,m,v,_),(E||O||q)&&(h.save(),E&&h.clip(E),O&&h.clip(O)),q?(R&as)==as?(h.clip(q),N&&h.clip(N),S2(_,T),k2(u,x,d)):R&Tr?(S2(_,T),h.clip(q),k2(u,x,d)):R&Nn&&(h.save(),h.clip(q),N&&h.clip(N),S2(_,T),h.restore(),k2(u,x,d)):(S2(_,T),k2(u,x,d)),(E||O||q)&&h.restore()}function k2(u,d,m){m>0&&(d instanceof Map?d.forEach((v,_)=>{h.strokeStyle=x2=_,h.stroke(v)}):d!=null&&u&&h.stroke(d))}function S2(u,d){d instanceof Map?d.forEach((m,v)=>{h.fillStyle=dn=v,h.fill(m)}):d!=null&&u&&h.fill(d)}function h3(u,d,m,v){let _=M[u],x;if(v<=0)x=[0,0];else{let T=_._space=_.space(o,u,d,m,v),R=_._incrs=_.incrs(o,u,d,m,v,T);x=Ku(d,m,R,v,T)}return _._found=x}function Ao(u,d,m,v,_,x,T,R,E,O){let N=T%2/2;k==1&&h.translate(N,N),os(R,T,E,O,R),h.beginPath();let q,e1,h1,p1,i1=_+(v==0||v==3?-x:x);m==0?(e1=_,p1=i1):(q=_,h1=i1);for(let J=0;J<u.length;J++)d[J]!=null&&(m==0?q=h1=u[J]:e1=p1=u[J],h.moveTo(q,e1),h.lineTo(h1,p1));h.stroke(),k==1&&h.translate(-N,-N)}function g3(u){let d=!0;return M.forEach((m,v)=>{if(!m.show)return;let _=P[m.scale];if(_.min==null){m._show&&(d=!1,m._show=!1,pn(!1));return}else m._show||(d=!1,m._show=!0,pn(!1));let x=m.side,T=x%2,{min:R,max:E}=_,[O,N]=h3(v,R,E,T==0?t1:F);if(N==0)return;let q=_.distr==2,e1=m._splits=m.splits(o,v,R,E,O,N,q),h1=_.distr==2?e1.map(H=>Ue[H]):e1,p1=_.distr==2?Ue[e1[1]]-Ue[e1[0]]:O,i1=m._values=m.values(o,m.filter(o,h1,v,N,p1),v,N,p1);m._rotate=x==2?m.rotate(o,i1,v,N):0;let J=m._size;m._size=We(m.size(o,i1,v,u)),J!=null&&m._size!=J&&(d=!1)}),d}function v3(u){let d=!0;return ts.forEach((m,v)=>{let _=m(o,v,qt,u);_!=bt[v]&&(d=!1),bt[v]=_}),d}function b3(){for(let u=0;u<M.length;u++){let d=M[u];if(!d.show||!d._show)continue;let m=d.side,v=m%2,_,x,T=d.stroke(o,u),R=m==0||m==3?-1:1,[E,O]=d._found;if(d.label!=null){let pe=d.labelGap*R,Me=Y1((d._lpos+pe)*v1);rs(d.labelFont[0],T,"center",m==2?"top":Hi),h.save(),v==1?(_=x=0,h.translate(Me,Y1(Le+He/2)),h.rotate((m==3?-X2:X2)/2)):(_=Y1(Se+we/2),x=Me);let Wt=Al(d.label)?d.label(o,u,E,O):d.label;h.fillText(Wt,_,x),h.restore()}if(O==0)continue;let N=P[d.scale],q=v==0?we:He,e1=v==0?Se:Le,h1=d._splits,p1=N.distr==2?h1.map(pe=>Ue[pe]):h1,i1=N.distr==2?Ue[h1[1]]-Ue[h1[0]]:E,J=d.ticks,H=d.border,O1=J.show?J.size:0,I1=Y1(O1*v1),re=Y1((d.alignTo==2?d._size-O1-d.gap:d.gap)*v1),S1=d._rotate*-X2/180,W1=S(d._pos*v1),Pe=(I1+re)*R,de=W1+Pe;x=v==0?de:0,_=v==1?de:0;let Fe=d.font[0],Be=d.align==1?Rn:d.align==2?dr:S1>0?Rn:S1<0?dr:v==0?"center":m==3?dr:Rn,tt=S1||v==1?"middle":m==2?"top":Hi;rs(Fe,T,Be,tt);let Te=d.font[1]*d.lineGap,qe=h1.map(pe=>S(a(pe,N,q,e1))),je=d._values;for(let pe=0;pe<je.length;pe++){let Me=je[pe];if(Me!=null){v==0?_=qe[pe]:x=qe[pe],Me=""+Me;let Wt=Me.indexOf(`
`)==-1?[Me]:Me.split(/\n/gm);for(let me=0;me<Wt.length;me++){let Ms=Wt[me];S1?(h.save(),h.translate(_,x+me*Te),h.rotate(S1),h.fillText(Ms,0,0),h.restore()):h.fillText(Ms,_,x+me*Te)}}}J.show&&Ao(qe,J.filter(o,p1,u,O,i1),v,m,W1,I1,R1(J.width*v1,3),J.stroke(o,u),J.dash,J.cap);let nt=d.grid;nt.show&&Ao(qe,nt.filter(o,p1,u,O,i1),v,v==0?2:1,v==0?Le:Se,v==0?He:we,R1(nt.width*v1,3),nt.stroke(o,u),nt.dash,nt.cap),H.show&&Ao([W1],[1],v==0?1:0,v==0?1:2,v==1?Le:Se,v==1?He:we,R1(H.width*v1,3),H.stroke(o,u),H.dash,H.cap)}oe("drawAxes")}function pn(u){y.forEach((d,m)=>{m>0&&(d._paths=null,u&&(r==1?(d.min=null,d.max=null):d.facets.forEach(v=>{v.min=null,v.max=null})))})}let P2=!1,Oo=!1,Kn=[];function y3(){Oo=!1;for(let u=0;u<Kn.length;u++)oe(...Kn[u]);Kn.length=0}function mn(){P2||(I4(us),P2=!0)}function _3(u,d=!1){P2=!0,Oo=d,u(o),us(),d&&Kn.length>0&&queueMicrotask(y3)}o.batch=_3;function us(){if(_o&&(f3(),_o=!1),ln&&(r3(),ln=!1),y2){if(L1(g,Rn,E1),L1(g,"top",G1),L1(g,d2,t1),L1(g,p2,F),L1(w,Rn,E1),L1(w,"top",G1),L1(w,d2,t1),L1(w,p2,F),L1(b,d2,at),L1(b,p2,Ot),p.width=Y1(at*v1),p.height=Y1(Ot*v1),M.forEach(({_el:u,_show:d,_size:m,_pos:v,side:_})=>{if(u!=null)if(d){let x=_===3||_===0?m:0,T=_%2==1;L1(u,T?"left":"top",v-x),L1(u,T?"width":"height",m),L1(u,T?"top":"left",T?G1:E1),L1(u,T?"height":"width",T?F:t1),wr(u,Qt)}else Ee(u,Qt)}),x2=dn=ko=Po=To=Mo=Co=Ro=So=null,xe=1,Yn(!0),E1!=sn||G1!=Lt||t1!=Je||F!=Nt){pn(!1);let u=t1/Je,d=F/Nt;if(ce&&!$t&&z.left>=0){z.left*=u,z.top*=d,hn&&st(hn,Y1(z.left),0,t1,F),gn&&st(gn,0,Y1(z.top),t1,F);for(let m=0;m<$e.length;m++){let v=$e[m];v!=null&&(cn[m]*=u,fn[m]*=d,st(v,We(cn[m]),We(fn[m]),t1,F))}}if(A1.show&&!_2&&A1.left>=0&&A1.width>0){A1.left*=u,A1.width*=u,A1.top*=d,A1.height*=d;for(let m in Vo)L1(yn,m,A1[m])}sn=E1,Lt=G1,Je=t1,Nt=F}oe("setSize"),y2=!1}at>0&&Ot>0&&(h.clearRect(0,0,p.width,p.height),oe("drawClear"),U.forEach(u=>u()),oe("draw")),A1.show&&_2&&(T2(A1),_2=!1),ce&&$t&&(It(null,!0,!1),$t=!1),s1.show&&s1.live&&Ne&&(Fo(),Ne=!1),c||(c=!0,o.status=1,oe("ready")),jn=!1,P2=!1}o.redraw=(u,d)=>{ln=d||!1,u!==!1?_t(A,D.min,D.max):mn()};function Lo(u,d){let m=P[u];if(m.from==null){if(ie==0){let v=m.range(o,d.min,d.max,u);d.min=v[0],d.max=v[1]}if(d.min>d.max){let v=d.min;d.min=d.max,d.max=v}if(ie>1&&d.min!=null&&d.max!=null&&d.max-d.min<1e-16)return;u==A&&m.distr==2&&ie>0&&(d.min=Ge(d.min,t[0]),d.max=Ge(d.max,t[0]),d.min==d.max&&d.max++),j[u]=d,_o=!0,mn()}}o.setScale=Lo;let No,$o,hn,gn,cs,fs,vn,bn,ds,ps,D1,F1,yt=!1,le=z.drag,te=le.x,ne=le.y;ce&&(z.x&&(No=Ie(c4,w)),z.y&&($o=Ie(f4,w)),D.ori==0?(hn=No,gn=$o):(hn=$o,gn=No),D1=z.left,F1=z.top);let A1=o.select=j1({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),yn=A1.show?Ie(u4,A1.over?w:g):null;function T2(u,d){if(A1.show){for(let m in u)A1[m]=u[m],m in Vo&&L1(yn,m,u[m]);d!==!1&&oe("setSelect")}}o.setSelect=T2;function w3(u){if(y[u].show)K1&&wr(V1[u],Qt);else if(K1&&Ee(V1[u],Qt),ce){let m=un?$e[0]:$e[u];m!=null&&st(m,-10,-10,t1,F)}}function _t(u,d,m){Lo(u,{min:d,max:m})}function Xe(u,d,m,v){d.focus!=null&&T3(u),d.show!=null&&y.forEach((_,x)=>{x>0&&(u==x||u==null)&&(_.show=d.show,w3(x),r==2?(_t(_.facets[0].scale,null,null),_t(_.facets[1].scale,null,null)):_t(_.scale,null,null),mn())}),m!==!1&&oe("setSeries",u,d),v&&Jn("setSeries",o,u,d)}o.setSeries=Xe;function x3(u,d){j1(W[u],d)}function k3(u,d){u.fill=u1(u.fill||null),u.dir=m1(u.dir,-1),d=d??W.length,W.splice(d,0,u)}function S3(u){u==null?W.length=0:W.splice(u,1)}o.addBand=k3,o.setBand=x3,o.delBand=S3;function P3(u,d){y[u].alpha=d,ce&&$e[u]!=null&&($e[u].style.opacity=d),K1&&V1[u]&&(V1[u].style.opacity=d)}let ut,wt,Vt,_n={focus:!0};function T3(u){if(u!=Vt){let d=u==null,m=Ze.alpha!=1;y.forEach((v,_)=>{if(r==1||_>0){let x=d||_==0||_==u;v._focus=d?null:x,m&&P3(_,x?1:Ze.alpha)}}),Vt=u,m&&mn()}}K1&&an&&fe(Ki,b1,u=>{z._lock||(Ft(u),Vt!=null&&Xe(null,_n,!0,U1.setSeries))});function et(u,d,m){let v=P[d];m&&(u=u/v1-(v.ori==1?G1:E1));let _=t1;v.ori==1&&(_=F,u=_-u),v.dir==-1&&(u=_-u);let x=v._min,T=v._max,R=u/_,E=x+(T-x)*R,O=v.distr;return O==3?An(10,E):O==4?C4(E,v.asinh):O==100?v.bwd(E):E}function M3(u,d){let m=et(u,A,d);return Ge(m,t[0],X1,ee)}o.valToIdx=u=>Ge(u,t[0]),o.posToIdx=M3,o.posToVal=et,o.valToPos=(u,d,m)=>P[d].ori==0?i(u,P[d],m?we:t1,m?Se:0):l(u,P[d],m?He:F,m?Le:0),o.setCursor=(u,d,m)=>{D1=u.left,F1=u.top,It(null,d,m)};function ms(u,d){L1(yn,Rn,A1.left=u),L1(yn,d2,A1.width=d)}function hs(u,d){L1(yn,"top",A1.top=u),L1(yn,p2,A1.height=d)}let Gn=D.ori==0?ms:hs,Qn=D.ori==1?ms:hs;function C3(){if(K1&&s1.live)for(let u=r==2?1:0;u<y.length;u++){if(u==0&&Oe)continue;let d=s1.values[u],m=0;for(let v in d)Ye[u][m++].firstChild.nodeValue=d[v]}}function Fo(u,d){if(u!=null&&(u.idxs?u.idxs.forEach((m,v)=>{k1[v]=m}):A4(u.idx)||k1.fill(u.idx),s1.idx=k1[0]),K1&&s1.live){for(let m=0;m<y.length;m++)(m>0||r==1&&!Oe)&&R3(m,k1[m]);C3()}Ne=!1,d!==!1&&oe("setLegend")}o.setLegend=Fo;function R3(u,d){let m=y[u],v=u==0&&Q==2?Ue:t[u],_;Oe?_=m.values(o,u,d)??vt:(_=m.value(o,d==null?null:v[d],u,d),_=_==null?vt:{_}),s1.values[u]=_}function It(u,d,m){ds=D1,ps=F1,[D1,F1]=z.move(o,D1,F1),z.left=D1,z.top=F1,ce&&(hn&&st(hn,Y1(D1),0,t1,F),gn&&st(gn,0,Y1(F1),t1,F));let v,_=X1>ee;ut=C1,wt=null;let x=D.ori==0?t1:F,T=D.ori==1?t1:F;if(D1<0||ie==0||_){v=z.idx=null;for(let R=0;R<y.length;R++){let E=$e[R];E!=null&&st(E,-10,-10,t1,F)}an&&Xe(null,_n,!0,u==null&&U1.setSeries),s1.live&&(k1.fill(v),Ne=!0)}else{let R,E,O;r==1&&(R=D.ori==0?D1:F1,E=et(R,A),v=z.idx=Ge(E,t[0],X1,ee),O=L(t[0][v],D,x,0));let N=-10,q=-10,e1=0,h1=0,p1=!0,i1="",J="";for(let H=r==2?1:0;H<y.length;H++){let O1=y[H],I1=k1[H],re=I1==null?null:r==1?t[H][I1]:t[H][1][I1],S1=z.dataIdx(o,H,v,E),W1=S1==null?null:r==1?t[H][S1]:t[H][1][S1];if(Ne=Ne||W1!=re||S1!=I1,k1[H]=S1,H>0&&O1.show){let Pe=S1==null?-10:S1==v?O:L(r==1?t[0][S1]:t[H][0][S1],D,x,0),de=W1==null?-10:X(W1,r==1?P[O1.scale]:P[O1.facets[1].scale],T,0);if(an&&W1!=null){let Fe=D.ori==1?D1:F1,Be=J1(Ze.dist(o,H,S1,de,Fe));if(Be<ut){let tt=Ze.bias;if(tt!=0){let Te=et(Fe,O1.scale),qe=W1>=0?1:-1,je=Te>=0?1:-1;je==qe&&(je==1?tt==1?W1>=Te:W1<=Te:tt==1?W1<=Te:W1>=Te)&&(ut=Be,wt=H)}else ut=Be,wt=H}}if(Ne||un){let Fe,Be;D.ori==0?(Fe=Pe,Be=de):(Fe=de,Be=Pe);let tt,Te,qe,je,nt,pe,Me=!0,Wt=ae.bbox;if(Wt!=null){Me=!1;let me=Wt(o,H);qe=me.left,je=me.top,tt=me.width,Te=me.height}else qe=Fe,je=Be,tt=Te=ae.size(o,H);if(pe=ae.fill(o,H),nt=ae.stroke(o,H),un)H==wt&&ut<=Ze.prox&&(N=qe,q=je,e1=tt,h1=Te,p1=Me,i1=pe,J=nt);else{let me=$e[H];me!=null&&(cn[H]=qe,fn[H]=je,el(me,tt,Te,Me),Zi(me,pe,nt),st(me,We(qe),We(je),t1,F))}}}}if(un){let H=Ze.prox,O1=Vt==null?ut<=H:ut>H||wt!=Vt;if(Ne||O1){let I1=$e[0];I1!=null&&(cn[0]=N,fn[0]=q,el(I1,e1,h1,p1),Zi(I1,i1,J),st(I1,We(N),We(q),t1,F))}}}if(A1.show&&yt)if(u!=null){let[R,E]=U1.scales,[O,N]=U1.match,[q,e1]=u.cursor.sync.scales,h1=u.cursor.drag;if(te=h1._x,ne=h1._y,te||ne){let{left:p1,top:i1,width:J,height:H}=u.select,O1=u.scales[q].ori,I1=u.posToVal,re,S1,W1,Pe,de,Fe=R!=null&&O(R,q),Be=E!=null&&N(E,e1);Fe&&te?(O1==0?(re=p1,S1=J):(re=i1,S1=H),W1=P[R],Pe=L(I1(re,q),W1,x,0),de=L(I1(re+S1,q),W1,x,0),Gn(Qe(Pe,de),J1(de-Pe))):Gn(0,x),Be&&ne?(O1==1?(re=p1,S1=J):(re=i1,S1=H),W1=P[E],Pe=X(I1(re,e1),W1,T,0),de=X(I1(re+S1,e1),W1,T,0),Qn(Qe(Pe,de),J1(de-Pe))):Qn(0,T)}else Io()}else{let R=J1(ds-cs),E=J1(ps-fs);if(D.ori==1){let e1=R;R=E,E=e1}te=le.x&&R>=le.dist,ne=le.y&&E>=le.dist;let O=le.uni;O!=null?te&&ne&&(te=R>=O,ne=E>=O,!te&&!ne&&(E>R?ne=!0:te=!0)):le.x&&le.y&&(te||ne)&&(te=ne=!0);let N,q;te&&(D.ori==0?(N=vn,q=D1):(N=bn,q=F1),Gn(Qe(N,q),J1(q-N)),ne||Qn(0,T)),ne&&(D.ori==1?(N=vn,q=D1):(N=bn,q=F1),Qn(Qe(N,q),J1(q-N)),te||Gn(0,x)),!te&&!ne&&(Gn(0,0),Qn(0,0))}if(le._x=te,le._y=ne,u==null){if(m){if(Ts!=null){let[R,E]=U1.scales;U1.values[0]=R!=null?et(D.ori==0?D1:F1,R):null,U1.values[1]=E!=null?et(D.ori==1?D1:F1,E):null}Jn(pr,o,D1,F1,t1,F,v)}if(an){let R=m&&U1.setSeries,E=Ze.prox;Vt==null?ut<=E&&Xe(wt,_n,!0,R):ut>E?Xe(null,_n,!0,R):wt!=Vt&&Xe(wt,_n,!0,R)}}Ne&&(s1.idx=v,Fo()),d!==!1&&oe("setCursor")}let xt=null;Object.defineProperty(o,"rect",{get(){return xt==null&&Yn(!1),xt}});function Yn(u=!1){u?xt=null:(xt=w.getBoundingClientRect(),oe("syncRect",xt))}function gs(u,d,m,v,_,x,T){z._lock||yt&&u!=null&&u.movementX==0&&u.movementY==0||(qo(u,d,m,v,_,x,T,!1,u!=null),u!=null?It(null,!0,!0):It(d,!0,!1))}function qo(u,d,m,v,_,x,T,R,E){if(xt==null&&Yn(!1),Ft(u),u!=null)m=u.clientX-xt.left,v=u.clientY-xt.top;else{if(m<0||v<0){D1=-10,F1=-10;return}let[O,N]=U1.scales,q=d.cursor.sync,[e1,h1]=q.values,[p1,i1]=q.scales,[J,H]=U1.match,O1=d.axes[0].side%2==1,I1=D.ori==0?t1:F,re=D.ori==1?t1:F,S1=O1?x:_,W1=O1?_:x,Pe=O1?v:m,de=O1?m:v;if(p1!=null?m=J(O,p1)?a(e1,P[O],I1,0):-10:m=I1*(Pe/S1),i1!=null?v=H(N,i1)?a(h1,P[N],re,0):-10:v=re*(de/W1),D.ori==1){let Fe=m;m=v,v=Fe}}E&&(d==null||d.cursor.event.type==pr)&&((m<=1||m>=t1-1)&&(m=Kt(m,t1)),(v<=1||v>=F-1)&&(v=Kt(v,F))),R?(cs=m,fs=v,[vn,bn]=z.move(o,m,v)):(D1=m,F1=v)}let Vo={width:0,height:0,left:0,top:0};function Io(){T2(Vo,!1)}let vs,bs,ys,_s;function ws(u,d,m,v,_,x,T){yt=!0,te=ne=le._x=le._y=!1,qo(u,d,m,v,_,x,T,!0,!1),u!=null&&(fe(mr,yr,xs,!1),Jn(Bi,o,vn,bn,t1,F,null));let{left:R,top:E,width:O,height:N}=A1;vs=R,bs=E,ys=O,_s=N}function xs(u,d,m,v,_,x,T){yt=le._x=le._y=!1,qo(u,d,m,v,_,x,T,!1,!0);let{left:R,top:E,width:O,height:N}=A1,q=O>0||N>0,e1=vs!=R||bs!=E||ys!=O||_s!=N;if(q&&e1&&T2(A1),le.setScale&&q&&e1){let h1=R,p1=O,i1=E,J=N;if(D.ori==1&&(h1=E,p1=N,i1=R,J=O),te&&_t(A,et(h1,A),et(h1+p1,A)),ne)for(let H in P){let O1=P[H];H!=A&&O1.from==null&&O1.min!=C1&&_t(H,et(i1+J,H),et(i1,H))}Io()}else z.lock&&(z._lock=!z._lock,It(d,!0,u!=null));u!=null&&(rn(mr,yr),Jn(mr,o,D1,F1,t1,F,null))}function E3(u,d,m,v,_,x,T){if(z._lock)return;Ft(u);let R=yt;if(yt){let E=!0,O=!0,N=10,q,e1;D.ori==0?(q=te,e1=ne):(q=ne,e1=te),q&&e1&&(E=D1<=N||D1>=t1-N,O=F1<=N||F1>=F-N),q&&E&&(D1=D1<vn?0:t1),e1&&O&&(F1=F1<bn?0:F),It(null,!0,!0),yt=!1}D1=-10,F1=-10,k1.fill(null),It(null,!0,!0),R&&(yt=R)}function ks(u,d,m,v,_,x,T){z._lock||(Ft(u),xo(),Io(),u!=null&&Jn(Gi,o,D1,F1,t1,F,null))}function Ss(){M.forEach(Gu),wo(o.width,o.height,!0)}Yt(eo,Dn,Ss);let wn={};wn.mousedown=ws,wn.mousemove=gs,wn.mouseup=xs,wn.dblclick=ks,wn.setSeries=(u,d,m,v)=>{let _=U1.match[2];m=_(o,d,m),m!=-1&&Xe(m,v,!0,!1)},ce&&(fe(Bi,w,ws),fe(pr,w,gs),fe(ji,w,u=>{Ft(u),Yn(!1)}),fe(Ki,w,E3),fe(Gi,w,ks),Mr.add(o),o.syncRect=Yn);let M2=o.hooks=e.hooks||{};function oe(u,d,m){Oo?Kn.push([u,d,m]):u in M2&&M2[u].forEach(v=>{v.call(null,o,d,m)})}(e.plugins||[]).forEach(u=>{for(let d in u.hooks)M2[d]=(M2[d]||[]).concat(u.hooks[d])});let Ps=(u,d,m)=>m,U1=j1({key:null,setSeries:!1,filters:{pub:sl,sub:sl},scales:[A,y[1]?y[1].scale:null],match:[il,il,Ps],values:[null,null]},z.sync);U1.match.length==2&&U1.match.push(Ps),z.sync=U1;let Ts=U1.key,Wo=na(Ts);function Jn(u,d,m,v,_,x,T){U1.filters.pub(u,d,m,v,_,x,T)&&Wo.pub(u,d,m,v,_,x,T)}Wo.sub(o);function D3(u,d,m,v,_,x,T){U1.filters.sub(u,d,m,v,_,x,T)&&wn[u](null,d,m,v,_,x,T)}o.pub=D3;function A3(){Wo.unsub(o),Mr.delete(o),At.clear(),xr(eo,Dn,Ss),f.remove(),b1?.remove(),oe("destroy")}o.destroy=A3;function zo(){oe("init",e,t),ns(t||e.data,!1),j[A]?Lo(A,j[A]):xo(),_2=A1.show&&(A1.width>0||A1.height>0),$t=Ne=!0,wo(e.width,e.height)}return y.forEach(es),M.forEach(c3),n?n instanceof HTMLElement?(n.appendChild(f),zo()):n(o,zo):zo(),o}Z1.assign=j1;Z1.fmtNum=Lr;Z1.rangeNum=to;Z1.rangeLog=ro;Z1.rangeAsinh=Ar;Z1.orient=Zt;Z1.pxRatio=v1;Z1.join=V4;Z1.fmtDate=$r,Z1.tzDate=Y4;Z1.sync=na;{Z1.addGap=Au,Z1.clipGaps=lo;let e=Z1.paths={points:aa};e.linear=ca,e.stepped=Nu,e.bars=$u,e.spline=qu}var ma=240;function it({label:e,timesMs:t,lines:n,written:o,areBytes:r=!1,height:i=160}){let l=se(null),a=se(null),c=`${rt.value} ${i} ${n.map(h=>`${h.title}${h.colour}`).join()}`,f=[t.map(h=>h/1e3),...n.map(h=>[...h.values])];l1(()=>{let h=l.current;if(!h)return;let b=new Z1(Yu(h,n,o,r,i),f,h);a.current=b;let g=new ResizeObserver(()=>b.setSize({width:Math.max(80,h.clientWidth),height:i}));return g.observe(h),()=>{g.disconnect(),b.destroy(),a.current=null}},[c]),l1(()=>a.current?.setData(f));let p=h=>{let b=h.values.at(-1);return b==null?"–":o(b)};return s("figure",{class:"plot",children:[s("figcaption",{children:[s("span",{class:"plot-title",children:e}),n.map(h=>s("span",{class:"legend",children:[s("i",{class:`swatch colour-${h.colour}`,"aria-hidden":"true"}),h.title," ",s("b",{children:p(h)})]},h.title))]}),s("div",{ref:l,class:"plot-area",role:"img","aria-label":e})]})}var Qu=Array.from({length:50},(e,t)=>2**t);function Yu(e,t,n,o,r){let i=getComputedStyle(document.documentElement),l=c=>i.getPropertyValue(`--${c}`).trim(),a={stroke:l("muted"),grid:{stroke:l("line"),width:1},ticks:{show:!1},font:"11px system-ui"};return{width:Math.max(80,e.clientWidth),height:r,legend:{show:!1},cursor:{y:!1,points:{show:!1}},padding:[8,18,0,0],axes:[{...a,size:24,space:56,values:(c,f)=>f.map(p=>new Date(p*1e3).toTimeString().slice(0,5)),incrs:[60]},{...a,size:64,space:32,values:(c,f)=>Ju(f.map(n)),...o&&{incrs:Qu}}],scales:{x:{range:(c,f,p)=>p>0?[p-ma,p]:Zu()},y:{range:(c,f,p)=>[0,p>0?p*1.1:1]}},series:[{},...t.map(c=>({label:c.title,stroke:l(`colour-${c.colour}`),width:1.5,points:{show:!1}}))]}}function Ju(e){return e.map((t,n)=>e[n-1]===t?"":t)}function Zu(){let e=Date.now()/1e3;return[e-ma,e]}function fo({values:e,label:t}){let r=Math.max(...e,1e-9),i=96/Math.max(1,e.length-1),l=e.map((a,c)=>`${(c*i).toFixed(1)},${(20-1.5-a/r*17).toFixed(1)}`);return s("svg",{class:"sparkline",viewBox:"0 0 96 20",width:96,height:20,role:"img","aria-label":t,children:l.length>1&&s("polyline",{points:l.join(" "),fill:"none",stroke:"currentColor","stroke-width":"1.5"})})}var Et=class{timesMs=[];values=[];add(t,n){let o=this.values.at(-1),r=this.timesMs.at(-1);r!==void 0&&t<=r||(o!==void 0&&n<o&&(this.timesMs.length=0,this.values.length=0),this.addLevel(t,n))}addLevel(t,n){this.timesMs.push(t),this.values.push(n),this.values.length>240&&(this.timesMs.shift(),this.values.shift())}rate(t=3){let n=this.values.length-1,o=Math.max(0,n-t);if(!(n<1))return 1e3*(Xt(this.values,n)-Xt(this.values,o))/(Xt(this.timesMs,n)-Xt(this.timesMs,o))}rates(){return this.values.slice(1).map((t,n)=>1e3*(t-Xt(this.values,n))/(Xt(this.timesMs,n+1)-Xt(this.timesMs,n)))}},ht=class{constructor(t=400){this.most=t}most;sets=new Map;of(t){let n=this.sets.get(t)??new Et;return this.sets.delete(t),this.sets.set(t,n),this.sets.size>this.most&&this.sets.delete(this.sets.keys().next().value),n}};function Xt(e,t){return e[t]??0}var tn=new ht,ha,ga;function Xu(){let e=a1("/broker"),t=a1("/queue-totals"),n=e.data.value,o=t.data.value;return i5(n,o),!n&&!o?t.problem.value?s(o1,{problem:t.problem.value}):s(T1,{}):s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Overview"}),n&&s("span",{class:"muted",children:["lastvalue ",n.version,n.compiled?"":", plain Python",", up ",H1(n.now_ms-n.started_ms)]})]}),n&&s(e5,{broker:n}),s("dl",{class:"figures",children:[o&&s(I,{children:[s(en,{title:"Queues",value:V(o.queues)}),s(en,{title:"Messages",value:V(o.depth)}),s(en,{title:"Keys",value:V(o.keys)}),s(en,{title:"Conflated",value:o.published?`${(100*o.conflated/o.published).toFixed(1)} %`:"–"})]}),n&&s(I,{children:[s(en,{title:"Connections",value:V(n.connections)}),s(en,{title:"Producers",value:V(n.producers)}),s(en,{title:"Event loop lag",value:H1(n.event_loop_lag_ms)})]})]}),s("div",{class:"cards",children:[o&&s(t5,{}),n&&s(n5,{broker:n}),n?.store_free_bytes!==void 0&&s(o5,{broker:n}),n&&s(r5,{})]}),e.problem.value?.status===403&&s("p",{class:"muted",children:"Memory, disk and alarms are shown to users with the right administer on $broker."})]})}function en({title:e,value:t}){return s("div",{class:"figure",children:[s("dt",{children:e}),s("dd",{children:t})]})}function e5({broker:e}){let n=[[e.memory_alarm_since_ms,"Memory is short: producers wait"],[e.store_alarm_since_ms,"The disk is short: producers of durable queues wait"],[e.store_fault_since_ms,"The store cannot be written"]].filter(([o])=>o>0);return n.length===0?null:s("div",{class:"alarm",role:"alert",children:n.map(([o,r])=>s("p",{children:[s("strong",{children:r}),", for ",H1(e.now_ms-o)]},r))})}function t5(){let e=[{name:"published",title:"published",colour:1},{name:"acquired",title:"to consumers",colour:2},{name:"conflated",title:"conflated",colour:3}];return s("div",{class:"card",children:s(it,{label:"Messages a second",timesMs:tn.of("published").timesMs.slice(1),lines:e.map(({name:t,...n})=>({...n,values:tn.of(t).rates()})),written:ue})})}function n5({broker:e}){let{memory_limit_bytes:t,held_bytes:n}=e,{timesMs:o,values:r}=tn.of("held_bytes");return s("div",{class:"card",children:[s(it,{label:"Memory",timesMs:o,lines:[{title:"held",colour:1,values:r}],written:ve,areBytes:!0}),t>0&&s(s5,{label:"of the limit",part:n,whole:t})]})}function o5({broker:e}){let{timesMs:t,values:n}=tn.of("store_bytes");return s("div",{class:"card",children:[s(it,{label:"Store",timesMs:t,lines:[{title:"segments",colour:2,values:n}],written:ve,areBytes:!0}),s("p",{class:"muted",children:[ve(e.store_free_bytes)," free, ",ve(e.store_waiting_bytes)," to be written"]})]})}function r5(){let{timesMs:e,values:t}=tn.of("event_loop_lag_ms");return s("div",{class:"card",children:s(it,{label:"Event loop lag",timesMs:e,lines:[{title:"lag",colour:4,values:t}],written:H1})})}function s5({label:e,part:t,whole:n}){return s("p",{class:"share",children:[s("meter",{min:0,max:n,high:.8*n,optimum:0,value:t,"aria-label":`Memory ${e}`}),s("span",{class:"muted",children:[(100*t/n).toFixed(1)," % ",e,", ",ve(n)]})]})}function i5(e,t){let n=Date.now();if(e&&e!==ha){for(let o of["held_bytes","event_loop_lag_ms","store_bytes"])tn.of(o).addLevel(n,e[o]??0);ha=e}if(t&&t!==ga){for(let o of["published","acquired","conflated"])tn.of(o).add(n,t[o]);ga=t}}var va={path:"overview",title:"Overview",inNavigation:!0,view:Xu};var Vn=164,In=44,Hr=44,Ur=14,ba=21;function wa({parts:e,readers:t}){let{nodes:n,edges:o}=l5(e,t),i=[0,1,2,3,4].map(f=>n.filter(p=>p.column===f)).filter(f=>f.length),l=new Map,a=Math.max(...i.map(f=>f.length),1)*(In+Ur);for(let[f,p]of i.entries()){let h=(a-p.length*(In+Ur))/2;for(let[b,g]of p.entries())l.set(g.id,{x:f*(Vn+Hr),y:h+b*(In+Ur)})}let c=i.length*(Vn+Hr)-Hr;return s("div",{class:"graph",tabIndex:0,role:"group","aria-label":"Graph of the pipeline",children:s("svg",{viewBox:`-1 -1 ${Math.max(c,Vn)+2} ${a}`,width:Math.max(c,Vn)+2,height:a,children:[o.map(([f,p])=>{let[h,b]=[l.get(f),l.get(p)];if(!h||!b)return null;let[g,w,k,S]=[h.x+Vn,h.y+In/2,b.x,b.y+In/2],C=Math.max(24,Math.abs(k-g)/2);return s("path",{class:"edge",d:`M${g} ${w}C${g+C} ${w} ${k-C} ${S} ${k} ${S}`},`${f} ${p}`)}),n.map(f=>{let{x:p,y:h}=l.get(f.id)??{x:0,y:0},b=s("g",{class:`node ${f.tone??""}`,transform:`translate(${p} ${h})`,children:[s("rect",{width:Vn,height:In,rx:"6"}),s("text",{x:"10",y:"18",class:"node-title",children:_a(f.title)}),s("text",{x:"10",y:"34",class:"node-text",children:_a(f.text)})]});return f.href?s("a",{href:f.href,children:b},f.id):s("g",{children:b},f.id)})]})})}function l5(e,t){let n=new Map,o=[],r=l=>(n.has(l.id)||n.set(l.id,l),l.id),i=(l,a,c="queue")=>r({id:`queue ${l}`,title:l,text:c,column:a,href:x1(["queues",l])});for(let l of e.filter(a=>a.kind==="feed")){let a=r({id:`part ${l.name}`,title:l.name,text:`feed · ${l.state??"not running"}`,column:1,tone:ya(l.state)});for(let c of l.from??[])o.push([r({id:`source ${c}`,title:c,text:"source",column:0}),a]);for(let c of l.to??[])o.push([a,i(c,2)]);l.dead_letter_queue&&o.push([a,i(l.dead_letter_queue,2,"rejected rows")])}for(let l of e.filter(a=>a.kind!=="feed")){let a=r({id:`part ${l.name}`,title:l.name,text:`${l.kind} · ${l.state??"not running"}`,column:3,tone:ya(l.state)});for(let c of l.from??[])o.push([i(c,2),a]);for(let c of l.to??[])l.kind==="replay"?o.push([a,i(c,4)]):o.push([a,r({id:`tables ${c}`,title:c,text:"tables",column:4})])}for(let l of[...n.values()]){let a=l.id.startsWith("queue ")?t.get(l.title):void 0;if(!a)continue;let c=a.slow?`${a.slow} of them wait`:"none waits",f=`${a.readers} ${a.readers===1?"reader":"readers"}`;o.push([l.id,r({id:`readers ${l.title}`,title:f,text:c,column:Math.min(4,l.column+1),href:x1(["connections"],{show:"consumers",contains:l.title})})])}return{nodes:[...n.values()],edges:o}}function ya(e){return e==="failed"||e==="dead"?"bad":e==="running"||e==="idle"?"good":""}function _a(e){return e.length>ba?`${e.slice(0,ba-1)}…`:e}var a5=120,u5=50,c5=new Set(["running","idle","failed","restarting","waiting for the broker"]);function f5(){let{data:e,problem:t,refresh:n}=a1("/pipeline",1e3),o=a1("/peers/consumers",2e3),r=$(null),i=$(null),l=y1(()=>({times:[],lag:new Map,rate:new Map}),[]),a=e.value;if(y1(()=>{if(!a)return;l.times.push(Date.now());let f=l.times.length>a5;f&&l.times.shift();for(let p of a.parts)for(let[h,b]of[[l.lag,p.lag??null],[l.rate,p.rows_per_s??null]]){let g=h.get(p.name)??l.times.slice(1).map(()=>null);h.set(p.name,[...g.slice(f?1:0),b])}},[a]),!a)return t.value?s(o1,{problem:t.value}):s(T1,{});let c=f=>a.parts.slice(0,4).map((p,h)=>({title:p.name,colour:h+1,values:f.get(p.name)??[]}));return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Pipeline"}),s(xa,{state:a.state}),s("span",{class:"muted",children:a.master&&`Spark on ${a.master}`})]}),t.value&&s(o1,{problem:t.value}),a.error&&s("p",{class:"banner",children:a.error}),s("section",{class:"card","aria-label":"From the sources to the readers",children:s(wa,{parts:a.parts,readers:d5(o.data.value?.consumers??[])})}),s("div",{class:"cards",children:[s("section",{class:"card",children:s(it,{label:"Lag",timesMs:l.times,lines:c(l.lag),written:f=>V(f)})}),s("section",{class:"card",children:s(it,{label:"Rows read",timesMs:l.times,lines:c(l.rate),written:ue})})]}),s(_1,{caption:"Parts of the pipeline",columns:[{name:"name",title:"Part",cell:f=>f.name},{name:"kind",title:"Kind",cell:f=>f.kind},{name:"state",title:"State",cell:f=>s(xa,{state:f.state??"not running"})},{name:"rows",title:"Rows",isNumeric:!0,cell:f=>V(f.rows)},{name:"rate",title:"Rate",isNumeric:!0,cell:f=>ue(f.rows_per_s)},{name:"published",title:"Published",isNumeric:!0,cell:f=>V(f.published)},{name:"lag",title:"Lag",isNumeric:!0,cell:f=>f.lag===null||f.lag===void 0?"–":`${V(f.lag)} ${f.lag_unit}`},{name:"end_to_end_ms",title:"End to end",isNumeric:!0,help:"How old its newest row was when the broker had it",cell:f=>H1(f.end_to_end_ms??void 0)},{name:"all_restarts",title:"Restarts",isNumeric:!0,cell:f=>V(f.all_restarts)},{name:"rejected",title:"Rejected",isNumeric:!0,cell:f=>f.rejected&&f.dead_letter_queue?s("button",{type:"button",class:"plain",onClick:()=>i.value=f.dead_letter_queue??"",children:[V(f.rejected)," – why?"]}):V(f.rejected)},{name:"error",title:"Failure",cell:f=>s("span",{class:"fault",title:f.trace,children:f.error})},{name:"restart",title:"Action",cell:f=>s("button",{type:"button",disabled:!c5.has(f.state??""),"aria-label":`Restart ${f.name}`,onClick:()=>r.value=f,children:"Restart"})}],rows:a.parts,rowKey:f=>f.name,empty:"The file declares no parts."}),i.value!==null&&s(p5,{queue:i.value}),r.value&&s(M1,{title:`Restart ${r.value.name}?`,text:"Its current work is finished first; it goes on where it was.",action:"Restart",fields:[],onClose:()=>r.value=null,onSubmit:async()=>{await n1(Y(["pipeline",r.value?.name??"","restart"]),{method:"POST"}),P1("the runner was asked to restart it"),n()}})]})}function xa({state:e}){return s("span",{class:`tag ${e==="failed"||e==="dead"?"bad":e==="running"||e==="idle"?"on":e==="finished"?"":"warn"}`,children:e})}function d5(e){let t=new Map;for(let{node:n,waits_for:o}of e){let r=t.get(n)??{readers:0,slow:0};t.set(n,{readers:r.readers+1,slow:r.slow+(o&&o!=="empty"?1:0)})}return t}function p5({queue:e}){let t=y1(()=>g1([]),[e]),n=y1(()=>({take:r=>t.value=[...t.value.slice(-u5+1),r],remove:()=>{},retain:()=>{}}),[t]),{problem:o}=Cn(e,n);return s("section",{class:"card","aria-labelledby":"rejected-heading",children:[s("h2",{id:"rejected-heading",children:["Rejected rows, in ",s("a",{href:x1(["queues",e]),children:e})]}),o.value?s(o1,{problem:o.value}):s(_1,{caption:"Rejected rows, the newest first",columns:[{name:"sequence",title:"Message",cell:r=>V(r.sequence)},{name:"reason",title:"Because",cell:r=>Z(m5(r)["x-opt-reason"])},{name:"properties",title:"Properties",cell:r=>s("code",{children:Z(r.properties)})},{name:"body",title:"Body",cell:r=>s("code",{children:Z(r.body).slice(0,200)})}],rows:[...t.value].reverse(),rowKey:r=>String(r.sequence)})]})}function m5(e){return e.annotations??{}}var ka={path:"pipelines",title:"Pipelines",inNavigation:!0,view:f5};var po=class{constructor(t){this.intervalMs=t}intervalMs;list=[];add(t,{open:n,high:o,low:r,close:i}){let l=t-t%this.intervalMs,a=this.list.at(-1);if(!(a&&l<a.startMs)){if(a?.startMs===l){a.high=Math.max(a.high,o),a.low=Math.min(a.low,r),a.close=i;return}this.list.push({startMs:l,open:n,high:o,low:r,close:i}),this.list.length>400&&this.list.shift()}}};var Sa=380,h5=14,g5=40;function Pa({label:e,candles:t,intervalMs:n,written:o}){let r=se(null),i=se(null),l=[t.map(a=>a.startMs/1e3),...["open","high","low","close"].map(a=>t.map(c=>c[a]))];return l1(()=>{let a=r.current;if(!a)return;let c=new Z1(v5(a,n,o),l,a);i.current=c;let f=new ResizeObserver(()=>c.setSize({width:Math.max(80,a.clientWidth),height:Sa}));return f.observe(a),()=>{f.disconnect(),c.destroy(),i.current=null}},[rt.value,n]),l1(()=>i.current?.setData(l)),s("div",{ref:r,class:"plot-area",role:"img","aria-label":e})}function v5(e,t,n){let o=getComputedStyle(document.documentElement),r=f=>o.getPropertyValue(`--${f}`).trim(),i={stroke:r("muted"),grid:{stroke:r("line"),width:1},ticks:{show:!1},font:"11px system-ui"},[l,a]=[r("good"),r("danger")],c=()=>null;return{width:Math.max(80,e.clientWidth),height:Sa,legend:{show:!1},cursor:{y:!1,points:{show:!1}},padding:[8,8,0,0],axes:[{...i,size:24,space:90,values:(f,p)=>p.map(h=>new Date(h*1e3).toTimeString().slice(0,8))},{...i,size:72,space:36,values:(f,p)=>p.map(n)}],scales:{x:{range:f=>b5(f.data[0],t/1e3)},y:{range:(f,p,h)=>[p-(h-p||1)*.08,h+(h-p||1)*.08]}},series:[{},...["open","high","low","close"].map(f=>({label:f,paths:c,points:{show:!1}}))],hooks:{draw:[f=>y5(f,t,l,a)]}}}function b5(e,t){let n=e[0]??Date.now()/1e3;return[n-t,Math.max(e[e.length-1]??n,n+g5*t)+t]}function y5(e,t,n,o){let[r=[],i=[],l=[],a=[],c=[]]=e.data,{ctx:f}=e,p=devicePixelRatio,h=e.valToPos(t/1e3,"x",!0)-e.valToPos(0,"x",!0),b=Math.max(p,Math.min(.7*h,h5*p));f.save(),f.lineWidth=p;for(let[g,w]of r.entries()){let[k,S,C,y]=[i[g]??0,l[g]??0,a[g]??0,c[g]??0],M=e.valToPos(w+t/2e3,"x",!0),P=A=>e.valToPos(A,"y",!0);f.strokeStyle=f.fillStyle=y>=k?n:o,f.beginPath(),f.moveTo(M,P(S)),f.lineTo(M,P(C)),f.stroke();let W=P(Math.max(k,y));f.fillRect(M-b/2,W,b,Math.max(p,P(Math.min(k,y))-W))}f.restore()}var _5=["1","5","15","60","300"],w5=500,Br=50,x5=250;function k5({parameters:e,query:t}){let n=e.queue??"",o=1e3*Number(t.get("every")??"1"),r=t.get("price"),i=y1(()=>({byKey:new Map,shown:g1(0)}),[o,r]),l={take:y=>{let M=String(y.key),P=T5(Mt(y),r);if(!P||!i.byKey.has(M)&&i.byKey.size>=w5)return;let W=i.byKey.get(M)??new po(o);i.byKey.set(M,W),W.add(Date.now(),P)},remove:y=>{i.byKey.delete(y)},retain:y=>{for(let M of i.byKey.keys())y.has(M)||i.byKey.delete(M)}},a=y1(()=>({taker:l}),[]);a.taker=l;let c=y1(()=>({take:y=>a.taker.take(y),remove:y=>a.taker.remove(y),retain:y=>a.taker.retain(y)}),[]),{problem:f,isLive:p,rate:h,sample:b}=Cn(n,c);if(l1(()=>{let y=setInterval(()=>!document.hidden&&i.shown.value++,x5);return()=>clearInterval(y)},[i]),i.shown.value,f.value)return s(o1,{problem:f.value});let g=b.value?Mt(b.value):{},w=[...i.byKey.keys()].sort(),k=t.get("key")??w[0]??"",S=i.byKey.get(k)?.list??[],C=Ta(g);return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:n}),s(u2,{queue:n,fields:g,current:"prices"}),s("div",{class:"actions",children:s(B2,{isLive:p.value,rate:h.value})})]}),s("div",{class:"tools",children:[s(jt,{label:"key",name:"key",value:k,choices:w}),!C&&s(jt,{label:"price",name:"price",value:Ce("price",g,r),choices:Object.keys(g).filter(y=>Re(g,y)!==void 0)}),s(jt,{label:"seconds of a candle",name:"every",value:String(o/1e3),choices:_5}),s(P5,{candle:S.at(-1)})]}),s("section",{class:"card",children:s(Pa,{label:`Candles of ${k}`,candles:[...S],intervalMs:o,written:jr})}),s("p",{class:"muted small",children:C?"Of the open, high, low and close of each value that reached this page.":"Of the prices that reached this page; what newer ones replaced before is not in them. A feed with the policy ohlc has every price."}),s(_1,{caption:"Keys",columns:[{name:"key",title:"Key",cell:y=>y},{name:"close",title:"Price",isNumeric:!0,cell:y=>jr(i.byKey.get(y)?.list.at(-1)?.close??0)},{name:"line",title:"Since this page is open",cell:y=>s(S5,{label:`Price of ${y}`,candles:i.byKey.get(y)?.list??[]})}],rows:w.slice(0,Br),rowKey:y=>y,rowLink:y=>x1(["queues",n,"prices"],{...Object.fromEntries(t),key:y}),empty:"No prices came yet."}),w.length>Br&&s("p",{class:"muted small",children:[V(w.length)," keys; these are the first ",Br,"."]})]})}function S5({label:e,candles:t}){let n=t.slice(-60).map(r=>r.close),o=Math.min(...n);return s(fo,{values:n.map(r=>r-o),label:e})}function P5({candle:e}){return e?s("span",{class:"newest-candle",children:["open","high","low","close"].map(t=>s("span",{children:[t," ",s("b",{children:jr(e[t])})]},t))}):null}function Ta(e){return["open","high","low","close"].every(t=>Re(e,Ce(t,e,null))!==void 0)}function T5(e,t){if(Ta(e)){let o=r=>Re(e,Ce(r,e,null))??0;return{open:o("open"),high:o("high"),low:o("low"),close:o("close")}}let n=Re(e,Ce("price",e,t));return n===void 0?null:{open:n,high:n,low:n,close:n}}function jr(e){return e.toLocaleString("en",{minimumFractionDigits:2,maximumFractionDigits:Math.abs(e)<1?6:2})}var Ma={path:"queues/:queue/prices",title:"Prices",inNavigation:!1,view:k5};function mo({queue:e,asked:t}){let{data:n,problem:o}=a1(Y(["queues",e,"why"],t),3e3);if(o.value)return s("p",{class:"fault",role:"alert",children:o.value.detail});if(!n.value)return s("p",{class:"muted",children:"Asking …"});let{found:r,remembers:i}=n.value;return s(I,{children:[s("ol",{class:"versions","aria-label":"What became of it, newest first",children:r.map(l=>s("li",{children:[s("div",{class:"when",children:[s("span",{children:l.reason.replaceAll("_"," ")||"present"}),s("span",{children:[Ve(l.time_ms??l.arrival_ms)," · ",l.sequence]})]}),s("div",{children:[l.text,l.updates>1&&s("span",{class:"muted",children:["; it stood for ",V(l.updates)," updates"]}),l.message_id&&s("span",{class:"muted",children:["; message id ",l.message_id]})]})]},l.sequence))}),r.length===0&&s("p",{class:"muted",children:"Nothing is remembered of it."}),s("p",{class:"muted",children:i?`The queue remembers why its last ${V(i)} messages left.`:"The queue remembers nothing of messages that left; its option removal_log says of how many it does."})]})}function ho(e){return e.published?(e.statistics.conflated??0)/e.published:0}function go(e){return typeof e=="number"?{type:"integer"}:typeof e=="boolean"?{type:"boolean"}:{}}var Kr=[{name:"selector",label:"Selector",help:"Only messages that it selects, as in price > 100 AND venue = 'X'"},{name:"limit",label:"At most",kind:"number",help:"So many messages, the oldest first; all if both are empty"}],Ca={name:"destination",label:"To the queue",isRequired:!0},M5=["purge","delete"];function Ra({queue:e,refresh:t,onDeleted:n}){let o=$(null),r=e.options.paused===!0,i=(a,c)=>s("button",{type:"button",class:M5.includes(a)?"danger":void 0,onClick:()=>o.value=a,children:c}),l=async()=>{await z2(r?"The queue delivers again.":"The queue delivers nothing until it is resumed.",()=>n1(Y(["queues",e.name]),{method:"PATCH",body:{paused:!r}})),t()};return s("div",{class:"actions",children:[i("publish","Publish"),s("button",{type:"button",onClick:l,children:r?"Resume":"Pause"}),i("move","Move"),i("copy","Copy"),i("retry","Retry"),i("purge","Purge"),i("delete","Delete"),o.value&&s(C5,{action:o.value,queue:e,refresh:t,onClose:()=>o.value=null,onDeleted:n})]})}function C5({action:e,queue:t,refresh:n,onClose:o,onDeleted:r}){let i=["queues",t.name],l={onClose:o},a=async(c,f)=>{let p=await n1(Y([...i,"messages",c]),{method:"POST",body:E5(f)});P1(`${V(p.messages)} messages${p.stayed.length?`; ${V(p.stayed.length)} stayed, which were not taken`:""}.`),n()};switch(e){case"publish":return s(R5,{queue:t,refresh:n,onClose:o});case"move":return s(M1,{...l,title:"Move messages",action:"Move",fields:[Ca,...Kr],onSubmit:c=>a("move",c)});case"copy":return s(M1,{...l,title:"Copy messages",action:"Copy",fields:[Ca,...Kr],onSubmit:c=>a("copy",c)});case"retry":return s(M1,{...l,title:"Retry dead letters",text:"Messages go back to the queues that they left.",action:"Retry",fields:Kr,onSubmit:c=>a("retry",c)});case"purge":return s(M1,{...l,title:`Purge ${t.name}`,text:`Remove ${V(t.available)} messages? Those that a consumer holds stay.`,action:"Purge",isDangerous:!0,fields:[],onSubmit:async()=>{let{messages:c}=await n1(Y([...i,"purge"]),{method:"POST"});P1(`${V(c)} messages were removed.`),n()}});case"delete":return s(M1,{...l,title:`Delete ${t.name}`,text:`The queue and its ${V(t.depth)} messages are gone then.`,action:"Delete",isDangerous:!0,fields:[{name:"name",label:"Its name, to be sure",isRequired:!0}],onSubmit:async({name:c})=>{if(c!==t.name)throw new Error(`the name is ${t.name}`);await n1(Y(i),{method:"DELETE"}),P1(`Queue ${t.name} was deleted.`),r()}})}}function R5({queue:e,refresh:t,onClose:n}){let o=e.options.lvq_key,r=typeof o=="string"?[{name:"key",label:`Key (${o})`,isRequired:!0}]:[];return s(M1,{title:`Publish to ${e.name}`,action:"Publish",onClose:n,fields:[...r,{name:"body",label:"Body",kind:"lines"},{name:"isJson",label:"The body is JSON",kind:"checkbox",help:"A number, a list or an object, instead of a text"},{name:"properties",label:"Properties",kind:"json",help:'As a JSON object, such as {"venue": "X"}'},{name:"ttl_ms",label:"Time to live in ms",kind:"number"}],onSubmit:async({key:i,body:l,isJson:a,properties:c,ttl_ms:f})=>{let p=Z(l),h={body:a?JSON.parse(p):p,properties:{...c,...typeof o=="string"?{[o]:i}:{}},...f===void 0?{}:{ttl_ms:f}};await n1(Y(["queues",e.name,"messages"]),{method:"POST",body:h}),P1("The message was confirmed."),t()}})}function E5(e){return"selector"in e||"limit"in e||"sequences"in e?e:{...e,all:!0}}var Ea=50,Gr={after:null,offset:0};function Aa({queue:e}){let t=$(""),n=$([Gr]),o=$(new Set),r=$(null),i=$(null),l=n.value.at(-1)??Gr,{data:a,problem:c,refresh:f}=a1(Y(["queues",e.name,"messages"],{after:l.after??"",limit:Ea,selector:t.value})),p=a.value?.messages??[],h=a.value?.next,b=h?()=>n.value=[...n.value,{after:h.after,offset:h.after?l.offset+p.length:0}]:void 0,g=async(k,S={})=>{let C={...S,sequences:[...o.value]},y=await n1(Y(["queues",e.name,"messages",k]),{method:"POST",body:C});P1(`${V(y.messages)} messages.`),o.value=new Set,f()},w=k=>{let S=new Set(o.value);S.delete(k)||S.add(k),o.value=S};return s(I,{children:[s("form",{class:"tools",onSubmit:k=>{k.preventDefault(),t.value=new FormData(k.currentTarget).get("selector")?.toString().trim()??"",n.value=[Gr]},children:[s("input",{name:"selector",type:"search","aria-label":"Selector",placeholder:"Selector, as in price > 100",defaultValue:t.value}),s("button",{type:"submit",children:"Select"}),s("span",{class:"muted",children:o.value.size?`${V(o.value.size)} chosen`:""}),s("button",{type:"button",disabled:!o.value.size,onClick:()=>i.value="move",children:"Move chosen"}),s("button",{type:"button",disabled:!o.value.size,onClick:()=>i.value="copy",children:"Copy chosen"}),s("button",{type:"button",class:"danger",disabled:!o.value.size,onClick:()=>g("delete").catch(Bt),children:"Delete chosen"})]}),c.value?s(o1,{problem:c.value}):a.value?s(I,{children:[s(_1,{caption:`Messages of ${e.name}`,rows:p,rowKey:k=>String(k.sequence),columns:[{name:"chosen",title:"",cell:({sequence:k})=>s("input",{type:"checkbox","aria-label":`Choose message ${k}`,checked:o.value.has(k),onChange:()=>w(k)})},{name:"sequence",title:"Sequence",isNumeric:!0,cell:k=>s("button",{type:"button",class:"plain mono",onClick:()=>r.value=k,children:k.sequence})},{name:"age",title:"Age",isNumeric:!0,cell:k=>H1(Date.now()-(k.enqueued_time_ms??0))},{name:"properties",title:"Properties",cell:k=>s("code",{children:Da(Z(k.properties??{}))})},{name:"body",title:"Body",cell:k=>s("code",{children:Da(Z(k.body??k.body_base64))})}],empty:h&&t.value?"None of the messages of this page is selected.":"No message that a reader could see is here."}),h&&t.value&&p.length<Ea&&s("p",{class:"muted",children:["Looked as far as sequence ",V(h.after),"."," ",s("button",{type:"button",onClick:b,children:"Look further"})]}),s(H2,{offset:l.offset,rows:p.length,onPrevious:n.value.length>1?()=>n.value=n.value.slice(0,-1):void 0,onNext:b})]}):s(T1,{}),r.value&&s(Tt,{title:`Message ${r.value.sequence}`,onClose:()=>r.value=null,isDrawer:!0,children:s("pre",{tabIndex:0,children:JSON.stringify(r.value,null,2)})}),i.value&&s(M1,{title:i.value==="move"?"Move chosen messages":"Copy chosen messages",action:i.value==="move"?"Move":"Copy",fields:[{name:"destination",label:"To the queue",isRequired:!0}],onClose:()=>i.value=null,onSubmit:k=>g(i.value,k)})]})}function Da(e){return e.length>120?`${e.slice(0,120)} …`:e}var D5=36e5;function Oa({queue:e,refresh:t}){let{data:n,problem:o}=a1("/queue-options",D5),r=$(null),i=$(!1);if(!n.value)return o.value?s(o1,{problem:o.value}):s(T1,{});let l=n.value.options.filter(a=>a.types.includes(e.type)&&(i.value||a.name in e.options));return s(I,{children:[s("div",{class:"tools",children:s("button",{type:"button","aria-pressed":i.value,onClick:()=>i.value=!i.value,children:"Show defaults"})}),s(_1,{caption:`Options of ${e.name}`,rows:l,rowKey:a=>a.name,columns:[{name:"name",title:"Option",cell:a=>s("code",{children:a.name})},{name:"value",title:"Value",cell:a=>s("b",{children:La(e.options[a.name]??a.default,a)})},{name:"origin",title:"Origin",cell:a=>a.name in e.options?s("span",{class:"tag on",children:"declared"}):s("span",{class:"tag",children:"default"})},{name:"sentence",title:"Meaning",cell:a=>s("span",{class:"muted",children:a.sentence})},{name:"edit",title:"",cell:a=>a.for_life?s("span",{class:"muted",title:"Delete the queue and declare it again to change this",children:"for life"}):s("button",{type:"button","aria-label":`Change ${a.name}`,onClick:()=>r.value=a,children:"Change"})}],empty:"All options have their defaults."}),r.value&&s(A5,{queue:e,option:r.value,refresh:t,onClose:()=>r.value=null})]})}function A5({queue:e,option:t,refresh:n,onClose:o}){let r=e.options[t.name]??t.default,i={name:t.name,label:t.unit?`${t.name} (${t.unit})`:t.name,kind:t.kind==="flag"?"checkbox":t.kind,choices:t.choices,value:t.kind==="flag"?r===!0:Z(r??""),help:`${t.sentence} The default is ${La(t.default,t)}.`};return s(M1,{title:`Change ${t.name}`,action:"Change",fields:[i],onClose:o,onSubmit:async l=>{await n1(Y(["queues",e.name]),{method:"PATCH",body:{[t.name]:l[t.name]??t.default}}),P1(`${t.name} was changed.`),n()}})}function La(e,t){return e==null?"none":t.unit&&typeof e=="number"?`${e} ${t.unit}`:Z(e)}function Na({queue:e}){let{data:t,problem:n}=a1("/peers/consumers",2e3);return t.value?s(_1,{caption:`Readers of ${e}`,rows:t.value.consumers.filter(o=>o.node===e),rowKey:o=>`${o.connection} ${o.session} ${o.name}`,columns:[{name:"name",title:"Reader",cell:o=>o.name},{name:"kind",title:"",cell:o=>s("span",{class:"tag",children:o.browses?"browser":"consumer"})},{name:"user",title:"User",cell:o=>o.user},{name:"connection",title:"Connection",cell:o=>o.connection},{name:"delivered",title:"Delivered",isNumeric:!0,cell:o=>V(o.delivered)},{name:"unsettled",title:"Unsettled",isNumeric:!0,cell:o=>V(o.unsettled)},{name:"credit",title:"Credit",isNumeric:!0,cell:o=>o.credit<0?"any":V(o.credit)},{name:"waits_for",title:"Waits for",cell:o=>o.waits_for}],empty:"Nobody reads this queue."}):n.value?s(o1,{problem:n.value}):s(T1,{})}var O5=12,L5=300,N5=500,Wn=class{constructor(t){this.keyProperty=t}keyProperty;received=0;represented=0;pinned=new Set;columns=[];rows=new Map;sorted=[];order={column:"key",descends:!1};filter="";isDirty=!0;orderIsDirty=!0;sortedMs=0;snapshots=new Mn;get size(){return this.rows.size}begin(t){this.snapshots.begin(t)}complete(t=0){for(let[n,o]of this.rows){let r=o.value.partition??0;r===t&&this.snapshots.isLeftBehind(o.snapshot,r)&&this.rows.delete(n)}this.isDirty=this.orderIsDirty=!0,this.chooseColumns()}take(t,n){for(let o of t)this.takeOne(o,n);this.isDirty=!0,this.columns.length===0&&this.chooseColumns()}row(t){return this.rows.get(t)}remove(t){this.rows.delete(t),this.isDirty=this.orderIsDirty=!0}sortBy(t){this.order=t,this.isDirty=this.orderIsDirty=!0}filterBy(t){this.filter=t.toLowerCase(),this.isDirty=this.orderIsDirty=!0}pin(t){this.pinned.delete(t)||this.pinned.add(t),this.isDirty=this.orderIsDirty=!0}takeDirty(){let t=this.isDirty;return this.isDirty=!1,t}ordered(t){let n=this.order.column!=="key"||this.filter!=="";return(this.orderIsDirty||n&&t-this.sortedMs>N5)&&(this.sorted=this.filter?[...this.rows.values()].filter(o=>this.admits(o)):[...this.rows.values()],this.sorted.sort((o,r)=>this.compared(o,r)),this.orderIsDirty=!1,this.sortedMs=t),this.sorted}takeOne(t,n){let o=Qr(t),r=this.rows.get(o);if(this.received++,r===void 0){this.represented++;let l=gt(t,this.keyProperty);this.rows.set(o,{id:o,value:t,fields:l,before:null,changes:0,changedMs:0,snapshot:this.snapshots.current}),this.orderIsDirty=!0;return}if(r.snapshot=this.snapshots.current,r.value.sequence===t.sequence)return;let i=t.updates-r.value.updates;this.represented+=i>0?i:t.updates,r.before=r.fields,r.fields=gt(t,this.keyProperty),r.value=t,r.changes++,r.changedMs=n}chooseColumns(){let t=new Map,n=0;for(let r of this.rows.values()){for(let i of Object.keys(r.fields))t.set(i,(t.get(i)??0)+1);if(++n===L5)break}let o=new Set([...t].sort((r,i)=>i[1]-r[1]).slice(0,O5).map(([r])=>r));this.columns=[...t.keys()].filter(r=>o.has(r))}admits(t){return this.pinned.has(t.id)||Z(t.value.key).toLowerCase().includes(this.filter)?!0:Object.values(t.fields).some(n=>Z(n).toLowerCase().includes(this.filter))}compared(t,n){let o=Number(this.pinned.has(n.id))-Number(this.pinned.has(t.id));if(o)return o;let r=$a(vo(t,this.order.column),vo(n,this.order.column));return(this.order.descends?-r:r)||$a(t.value.key,n.value.key)}};function Qr(e){return e.key===null||e.key===void 0?`#${e.sequence}`:`${typeof e.key}:${e.key}`}function vo(e,t){return t==="key"?e.value.key:t==="updates"?e.value.updates:t==="age"?-(e.value.enqueued_time_ms??0):e.fields[t]}function gt(e,t){let n=$5(e.body),o={...e.properties};if(delete o[t],n===null)return{...o,body:e.body??e.body_base64??null};let r={...n};return Z(r[t])===Z(e.key)&&delete r[t],{...o,...r}}function $5(e){let t=e;if(typeof e=="string"&&e.startsWith("{"))try{t=JSON.parse(e)}catch{return null}return typeof t=="object"&&t!==null&&!Array.isArray(t)?t:null}function $a(e,t){if(typeof e=="number"&&typeof t=="number")return e-t;if(e==null)return t==null?0:1;if(t==null)return-1;let n=Z(e),o=Z(t);return n<o?-1:n>o?1:0}var qa=50;function Va({queue:e,keyProperty:t,row:n,live:o,hasHistory:r,remembers:i,onClose:l}){let a=$(n.value),c=$([Fa(n.value,t)]);l1(()=>{if(o===null)return;let k=setInterval(()=>{let S=o.row(n.id)?.value;S===void 0||S.sequence===a.value.sequence||(a.value=S,c.value=[Fa(S,t),...c.value].slice(0,qa))},100);return()=>clearInterval(k)},[]);let{key:f,sequence:p,updates:h,enqueued_time_ms:b,properties:g}=a.value,w=typeof f=="string"||typeof f=="boolean"||Number.isInteger(f);return s(Tt,{title:f==null?`Message ${p}`:Z(f),onClose:l,isDrawer:!0,children:[s("dl",{class:"facts",children:[s("dt",{children:"Sequence"}),s("dd",{children:p}),s("dt",{children:"Updates"}),s("dd",{children:h}),b!==void 0&&s(I,{children:[s("dt",{children:"Came"}),s("dd",{children:[Ve(b),o&&s("span",{class:"muted",children:[", ",H1(Date.now()-b)," ago"]})]})]}),g&&s(I,{children:[s("dt",{children:"Properties"}),s("dd",{class:"mono",children:Z(g)})]})]}),s("pre",{tabIndex:0,"aria-label":"Body",children:I5(a.value)}),o&&w&&s(F5,{queue:e,value:a.value,onClose:l}),s("h3",{children:"What happened"}),r&&w?s(q5,{queue:e,keyProperty:t,value:a.value}):s(Ia,{versions:c.value}),!r&&s("p",{class:"muted",children:"The queue has no history: these are the values since this was opened."}),i&&w&&s(I,{children:[s("h3",{children:"Why values are gone"}),s(mo,{queue:e,asked:{key:Z(f),...go(f)}})]})]})}function F5({queue:e,value:t,onClose:n}){let o=$(!1),r=$(t),i=$(""),l=Y(["queues",e,"keys",Z(t.key)],go(t.key)),a={"If-Match":`"${r.value.sequence}"`},c=async()=>{try{await n1(l,{method:"DELETE",headers:{"If-Match":`"${t.sequence}"`}}),P1("The value was deleted."),n()}catch(p){Bt(p)}};if(!o.value)return s("div",{class:"actions",children:[s("button",{type:"button",onClick:()=>(r.value=t,o.value=!0),children:"Change"}),s("button",{type:"button",class:"danger",onClick:c,children:"Delete"})]});let f=typeof r.value.body=="string";return s(I,{children:[i.value&&s("p",{class:"fault",role:"alert",children:[i.value,": the form has the newest value now"]}),s(ot,{action:"Put",fields:[{name:"body",label:f?"New body, a text":"New body, as JSON",kind:f?"lines":"json",value:f?Z(r.value.body):JSON.stringify(r.value.body??null,null,2),help:`Taken only if the value is still ${r.value.sequence}.`}],onSubmit:async({body:p})=>{try{await n1(l,{method:"PUT",headers:a,body:{body:p??"",properties:r.value.properties??{}}})}catch(h){if(h instanceof z1&&h.status===412){r.value=t,i.value=ge(h);return}throw h}P1("The value was put."),i.value="",o.value=!1}},r.value.sequence)]})}function q5({queue:e,keyProperty:t,value:n}){let o=Y(["queues",e,"keys",Z(n.key),"timeline"],{...go(n.key),newest_first:!0,limit:qa}),{data:r,problem:i}=a1(o,3e3);if(i.value)return s("p",{class:"fault",children:i.value.detail});if(!r.value)return s("p",{class:"muted",children:"Reading the history …"});let{records:l}=r.value,a=p=>p.effect==="removed"&&p.reason==="replaced",c=new Map(l.filter(a).map(p=>[p.time,p.sequence])),f=l.filter(p=>!a(p)).map(p=>({timeMs:Date.parse(p.time),what:V5(p,c.get(p.time)),sequence:p.sequence??0,fields:p.updates===null?null:gt({...p,key:n.key,sequence:p.sequence??0,updates:p.updates},t)}));return s(Ia,{versions:f})}function V5({effect:e,reason:t},n){return t?`${e}: ${t}`:n?`${e}, in place of ${n}`:e}function Ia({versions:e}){return s("ol",{class:"versions","aria-label":"Versions, newest first",children:e.map((t,n)=>{let o=e.slice(n+1).find(r=>r.fields!==null)?.fields??null;return s("li",{children:[s("div",{class:"when",children:[s("span",{children:t.what}),s("span",{children:[Ve(t.timeMs)," · ",t.sequence]})]}),t.fields&&s(bo,{before:o,after:t.fields})]},`${t.timeMs} ${t.sequence} ${t.what} ${e.length-n}`)})})}function bo({before:e,after:t}){let o=[...new Set([...Object.keys(e??{}),...Object.keys(t)])].filter(r=>e===null||Z(e[r])!==Z(t[r]));return o.length===0?s("div",{class:"muted",children:"the same value"}):s(I,{children:o.map(r=>s("div",{class:"change",children:[r,": ",e!==null&&r in e&&s("del",{children:Z(e[r])})," ",r in t&&s("ins",{children:Z(t[r])})]},r))})}function Fa(e,t){return{timeMs:e.enqueued_time_ms??Date.now(),what:"value",sequence:e.sequence,fields:gt(e,t)}}function I5(e){if(e.body_base64!==void 0)return e.body_base64;let t=e.body;if(typeof t=="string"&&t.startsWith("{"))try{return JSON.stringify(JSON.parse(t),null,2)}catch{return t}return typeof t=="string"?t:JSON.stringify(t,null,2)}var Dt=30,Wa=6,W5=900;function za({table:e,label:t,onOpen:n,nowMs:o,height:r=480}){let i=se(null),l=$(0),a=$(0),c=$({column:"key",descends:!1}),f=$(0);l1(()=>{let y=0,M=0,P=()=>{let W=Math.floor(performance.now()/1e3);(e.takeDirty()||W!==M)&&l.value++,M=W,y=requestAnimationFrame(P)};return y=requestAnimationFrame(P),()=>cancelAnimationFrame(y)},[e]),l.value;let p=performance.now(),h=e.ordered(p),b=Math.max(0,Math.floor(a.value/Dt)-Wa),g=h.slice(b,b+Math.ceil(r/Dt)+2*Wa),w=["key",...e.columns,"updates","age"],k=new Set(["updates","age",...e.columns.filter(y=>typeof g[0]?.fields[y]=="number")]),S=y=>{let M=c.value.column===y;c.value={column:y,descends:M?!c.value.descends:k.has(y)&&y!=="age"},e.sortBy(c.value)},C=y=>{let M=Math.floor(r/Dt)-2,W={ArrowDown:1,ArrowUp:-1,PageDown:M,PageUp:-M,Home:-h.length,End:h.length}[y.key],A=h[f.value];if(W!==void 0){f.value=Math.min(h.length-1,Math.max(0,f.value+W));let G=f.value*Dt,U=i.current;G<U.scrollTop?U.scrollTop=G:G+2*Dt>U.scrollTop+r&&(U.scrollTop=G+2*Dt-r)}else if(y.key==="Enter"&&A)n(A);else if(y.key==="p"&&A)e.pin(A.id);else return;y.preventDefault()};return s("div",{ref:i,class:"live",tabIndex:0,role:"grid","aria-label":t,"aria-rowcount":h.length+1,"aria-colcount":w.length,"aria-activedescendant":h[f.value]?`row-${f.value}`:void 0,onScroll:y=>a.value=y.currentTarget.scrollTop,onKeyDown:C,children:s("div",{class:"live-rows",role:"rowgroup",style:{height:`${(h.length+1)*Dt}px`,"--columns":e.columns.length},children:[s("div",{class:"live-row head",role:"row","aria-rowindex":1,children:w.map(y=>s("div",{class:k.has(y)?"number":"",role:"columnheader","aria-sort":c.value.column!==y?"none":c.value.descends?"descending":"ascending",children:s("button",{type:"button",class:"plain",onClick:()=>S(y),children:[y,s("span",{class:"order","aria-hidden":"true",children:c.value.column!==y?"":c.value.descends?"▼":"▲"})]})},y))}),g.map((y,M)=>s(z5,{row:y,at:b+M,columns:w,numeric:k,isPinned:e.pinned.has(y.id),isFocused:b+M===f.value,isFresh:p-y.changedMs<W5&&y.changes>0,ageMs:o()-(y.value.enqueued_time_ms??0),onOpen:()=>(f.value=b+M,n(y)),onPin:()=>e.pin(y.id)},y.id))]})})}function z5({row:e,at:t,columns:n,numeric:o,isPinned:r,isFocused:i,isFresh:l,ageMs:a,onOpen:c,onPin:f}){return s("div",{id:`row-${t}`,class:i?"live-row focused":"live-row",role:"row","aria-rowindex":t+2,style:{transform:`translateY(${(t+1)*Dt}px)`},onClick:c,children:n.map(p=>{let h=p==="age"?H1(a):Z(vo(e,p)),g=l&&e.before!==null&&Z(e.before[p])!==Z(e.fields[p])?` flash-${e.changes%2}`:"";return s("div",{role:"gridcell",class:(o.has(p)?"number":"")+g,title:h.length>24?h:void 0,children:[p==="key"&&s("button",{type:"button",class:r?"plain pin on":"plain pin",tabIndex:-1,"aria-label":r?`Unpin ${h}`:`Pin ${h}`,"aria-pressed":r,onClick:w=>(w.stopPropagation(),f()),children:s(dt,{name:"pin"})}),h]},p)})})}var H5=1e4,U5=200,zn=1e3;function Ha({name:e,keyProperty:t,past:n}){let{data:o,problem:r}=a1(Y(["queues",e,"history"]),1e4),i=$(zn),l=$(""),a=$(null),c=$(null),f=se(0),p=se(null);if(l1(()=>()=>{n.value=null},[]),r.value)return s("p",{class:"muted",children:["The history cannot be read: ",r.value.detail]});if(!o.value)return s("p",{class:"muted",children:"Reading the history …"});let h=Date.parse(o.value.history_from),b=Date.parse(o.value.history_to),g=y=>Math.round(h+(b-h)*y/zn),w=y=>Math.min(zn,Math.max(0,Math.round(zn*(y-h)/Math.max(1,b-h)))),k=()=>{clearTimeout(f.current),p.current=null,i.value=zn,n.value=null,l.value=""},S=y=>{i.value=w(y),clearTimeout(f.current),p.current=y,f.current=window.setTimeout(async()=>{try{let M=await j5(e,t,y);if(p.current!==y)return;n.value=M,l.value=""}catch(M){p.current===y&&(l.value=ge(M))}},U5)},C=n.value?.timeMs;return s("div",{class:"past",role:"group","aria-label":"The past of the queue",children:[s("button",{type:"button","aria-pressed":n.value===null,onClick:k,children:"Live"}),s("input",{type:"range",min:0,max:zn,value:i.value,"aria-label":"Moment","aria-valuetext":Ve(g(i.value)),onInput:y=>S(g(Number(y.currentTarget.value)))}),s("input",{type:"datetime-local",step:"0.001","aria-label":"Exact moment",value:Ve(C??b).replace(" ","T"),onChange:y=>{let M=new Date(y.currentTarget.value).getTime();Number.isNaN(M)||S(M)}}),s("output",{children:C===void 0?"now":`${Ve(C)}, ${V(n.value?.total)} rows`}),s("button",{type:"button",disabled:C===void 0,onClick:()=>a.value=C??null,children:a.value===null?"Mark":`Marked ${Ve(a.value).slice(11,19)}`}),s("button",{type:"button",disabled:a.value===null||a.value===C,onClick:()=>{let y=[a.value??0,C??Date.now()].sort((M,P)=>M-P);c.value=[y[0]??0,y[1]??0]},children:"Compare with the mark"}),l.value&&s("span",{class:"fault",role:"alert",children:l.value}),c.value&&s(B5,{name:e,from:c.value[0],to:c.value[1],onClose:()=>c.value=null})]})}function B5({name:e,from:t,to:n,onClose:o}){let r=Y(["queues",e,"diff"],{from:new Date(t).toISOString(),to:new Date(n).toISOString(),limit:500}),{data:i,problem:l}=a1(r,36e5);return s(Tt,{title:"What changed",onClose:o,isDrawer:!0,children:[s("p",{class:"muted",children:[Ve(t)," to ",Ve(n),i.value&&`: ${V(i.value.total)} changes`]}),l.value&&s("p",{class:"fault",children:l.value.detail}),s("ol",{class:"versions",children:i.value?.changes.map(a=>s("li",{children:[s("div",{class:"when",children:[s("b",{children:Z(a.key??a.sequence)}),s("span",{children:a.reason&&a.reason!==a.change?`${a.change}: ${a.reason}`:a.change})]}),"before"in a?s(bo,{before:gt({...a,properties:{},body:a.before},""),after:gt({...a,properties:{}},"")}):s(bo,{before:null,after:gt({...a,properties:{}},"")})]},`${Z(a.key)} ${a.sequence}`))})]})}async function j5(e,t,n){let o=Y(["queues",e,"as-of"],{moment:new Date(n).toISOString(),limit:H5}),r=await n1(o),i=new Wn(t);return i.begin(),i.take(r.values,performance.now()),i.complete(),{timeMs:n,table:i,total:r.total}}var K5={glob:"",selector:""};function Ba({name:e,queue:t,mostFollowed:n}){let o=t.value,r=String(o.options.lvq_key??""),i=$(K5),l=$(null),a=$(null),c=y1(()=>new Wn(r),[e,r,i.value]),f=i.value.selector!==""||i.value.glob!=="",p=!f&&(o.statistics.keys??0)>n,h=Y(["queues",e,"follow"],{...i.value}),b=G5(p||l.value!==null?null:h,c),g=l.value?.table??c,w=!!o.options.history;return s(I,{children:[s("div",{class:"tools",children:[s("input",{type:"search","aria-label":"Rows with this text",placeholder:"Filter rows",onInput:k=>g.filterBy(k.currentTarget.value.trim())}),s("form",{class:"tools",onSubmit:k=>{k.preventDefault();let S=new FormData(k.currentTarget),C=y=>S.get(y)?.toString().trim()??"";i.value={glob:C("glob"),selector:C("selector")}},children:[s("input",{name:"glob",type:"search",class:"short","aria-label":"Keys that match",placeholder:"Keys, as in eu.*"}),s("input",{name:"selector",type:"search","aria-label":"Selector",placeholder:"Selector, as in price > 100"}),s("button",{type:"submit",children:"Select"})]}),l.value===null&&s(Q5,{live:c,queue:t,isSelected:f})]}),w&&s(Ha,{name:e,keyProperty:r,past:l}),o.options.paused===!0&&s("p",{class:"banner",children:"The queue is paused: nothing new comes to its readers."}),b.lost&&s("p",{class:"banner",role:"status",children:["The rows are as they were: ",b.lost,". Asking again …"]}),b.refused?s(o1,{problem:b.refused}):p&&l.value===null?s("p",{class:"notice",children:["The queue has ",V(o.statistics.keys)," keys. A pattern of keys or a selector chooses the rows to follow; the messages are listed in pages."]}):s(za,{table:g,label:`Values of ${e}`,nowMs:()=>l.value?.timeMs??Date.now(),onOpen:k=>a.value=k}),a.value&&s(Va,{queue:e,keyProperty:r,row:a.value,live:l.value===null?c:null,hasHistory:w,remembers:Number(o.options.removal_log??0)>0,onClose:()=>a.value=null},a.value.id)]})}function G5(e,t){let n=$({lost:"",refused:null});return l1(()=>{if(e===null)return;let o=new AbortController,r=new Map;return n.value={lost:"",refused:null},j2(e,{begin:l=>t.begin(l),values:l=>t.take(l,performance.now()),removed:l=>t.remove(Qr(l)),snapshotEnd:({resumed:l,partition:a})=>{l||t.complete(a),r.delete(a??0),n.value={lost:Ua(r),refused:null}},partitionLost:({partition:l,detail:a})=>{r.set(l,a),n.value={lost:Ua(r),refused:null}},lost:l=>{r.clear(),n.value={lost:l,refused:null}},refused:l=>n.value={lost:"",refused:l}},o.signal),()=>o.abort()},[e,t]),n.value}function Ua(e){return[...e].map(([t,n])=>`partition ${t} is away: ${n}`).join("; ")}function Q5({live:e,queue:t,isSelected:n}){let o=y1(()=>new Et,[e]),r=y1(()=>new Et,[e]),i=y1(()=>({queue:void 0}),[e]);t.value!==i.queue&&(i.queue=t.value,o.add(Date.now(),e.received),r.add(Date.now(),n?e.represented:t.value?.published??0));let l=r.rate()??0,a=Math.min(o.rate()??0,l),c=l>0?1-a/l:0;return s("div",{class:"saving",title:"What conflation saves: updates that need not come here, because a newer one of their key does",children:[s("span",{children:[s("b",{children:ue(l)})," in, ",s("b",{children:ue(a)})," shown"]}),s("span",{class:"bar",role:"meter","aria-label":"Saved by conflation","aria-valuemin":0,"aria-valuemax":100,"aria-valuenow":Math.round(100*c),children:s("i",{style:{width:`${100*c}%`}})}),s("span",{children:[s("b",{children:[Math.round(100*c)," %"]})," saved"]})]})}var ja=50,Y5=["lvq","standard","priority","sorted"],Yr=new ht,Qa=new ht,Ka,J5=[{name:"name",title:"Queue",isSortable:!0,cell:e=>e.name},{name:"type",title:"Type",isSortable:!0,cell:e=>s(Jr,{queue:e})},{name:"keys",title:"Keys",isNumeric:!0,isSortable:!0,cell:e=>e.type==="lvq"?V(e.statistics.keys):""},{name:"depth",title:"Messages",isNumeric:!0,isSortable:!0,cell:e=>V(e.depth)},{name:"in",title:"In",isNumeric:!0,cell:e=>ue(Yr.of(e.name).rate())},{name:"out",title:"Out",isNumeric:!0,help:"To consumers; browsers are not counted",cell:e=>ue(Qa.of(e.name).rate())},{name:"conflation_ratio",title:"Conflated",isNumeric:!0,isSortable:!0,help:"The part of what came that a newer value replaced",cell:e=>e.type==="lvq"&&e.published?`${(100*ho(e)).toFixed(1)} %`:""},{name:"last_in_ms",title:"Newest",isNumeric:!0,isSortable:!0,help:"How long ago a message came last",cell:n6},{name:"trend",title:"In, last minutes",cell:e=>s(fo,{values:Yr.of(e.name).rates(),label:`What came to ${e.name}`})}];function Z5({query:e}){let t=e.get("sort")??"name",n=e.get("contains")??"",o=Y(["queues"],{sort:t==="name"?"":t,contains:n,limit:ja}),r=$([]),i=$(o),l=$(!1);l1(()=>{i.value=o,r.value=[]},[o]);let{data:a,problem:c,refresh:f}=a1(i.value),p=a.value;if(p&&p!==Ka){Ka=p;let g=Date.now();for(let w of p.queues)Yr.of(w.name).add(g,w.published),Qa.of(w.name).add(g,w.statistics.acquired??0)}let h=p?.next,b=r.value.at(-1);return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Queues"}),s("div",{class:"actions",children:[s(X5,{value:n,onSearch:g=>be(["queues"],{sort:t==="name"?"":t,contains:g})}),s("button",{type:"button",class:"primary",onClick:()=>l.value=!0,children:"Add a queue"})]})]}),!p&&(c.value?s(o1,{problem:c.value}):s(T1,{})),p&&s(I,{children:[s(_1,{caption:"Queues",columns:J5,rows:p.queues,rowKey:g=>g.name,rowLink:g=>x1(["queues",g.name]),sort:t,onSort:g=>be(["queues"],{sort:g,contains:n}),empty:n?`No queue that you may see has “${n}” in its name.`:"There are no queues that you may see."}),s(H2,{offset:r.value.length*ja,rows:p.queues.length,onPrevious:b===void 0?void 0:()=>{r.value=r.value.slice(0,-1),i.value=b},onNext:h===void 0?void 0:()=>{r.value=[...r.value,i.value],i.value=h}})]}),l.value&&s(t6,{onClose:()=>l.value=!1,onAdded:f})]})}function Jr({queue:e}){return s(I,{children:[s("span",{class:"tag",children:e.type})," ",e.options.paused===!0&&s("span",{class:"tag warn",children:"paused"}),e.stored&&s("span",{class:"tag",children:"durable"})]})}function X5({value:e,onSearch:t}){return s("form",{role:"search",class:"tools",onSubmit:n=>n.preventDefault(),children:s("input",{type:"search","aria-label":"Queues with this text in their name",placeholder:"Search by name",defaultValue:e,onInput:e6(n=>t(n.target.value.trim()))})})}var Ga=0;function e6(e){return t=>{clearTimeout(Ga),Ga=window.setTimeout(e,250,t)}}function t6({onClose:e,onAdded:t}){return s(M1,{title:"Add a queue",action:"Add",onClose:e,fields:[{name:"name",label:"Name",isRequired:!0},{name:"type",label:"Type",kind:"choice",choices:Y5,value:"lvq"},{name:"lvq_key",label:"Last-value key",help:"The property whose value is the key; for type lvq"},{name:"sort_key",label:"Sort key",help:"The property to sort by; for type sorted"},{name:"durable",label:"Durable",kind:"checkbox",help:"A restart keeps it, if the broker has a store"},{name:"more",label:"Further options",kind:"json",help:'As a JSON object, such as {"max_messages": 1000}; the page of the queue shows all options'}],onSubmit:async({name:n,more:o,...r})=>{await n1(Y(["queues",Z(n)]),{method:"PUT",body:{...r,...o},headers:{}}),P1(`Queue ${Z(n)} is there.`),t()}})}function n6(e){let t=e.statistics.last_in_ms??0;return t?H1(Date.now()-t):""}var Ya={path:"queues",title:"Queues",inNavigation:!0,view:Z5};var o6=5e4,Ja={values:"Values",messages:"Messages",options:"Options",readers:"Readers",removed:"Removed"},yo=new ht,Za;function r6({parameters:e,query:t}){let n=e.queue??"",o=a1(Y(["queues",n]),1e3),r=o.data.value,i=$(!1);if(i.value)return s("p",{class:"notice",children:["The queue ",n," was deleted."]});if(!r)return o.problem.value?s(o1,{problem:o.problem.value}):s(T1,{});if(o.problem.value?.status===404)return s(o1,{problem:o.problem.value});r!==Za&&(Za=r,yo.of(`${n} in`).add(Date.now(),r.published),yo.of(`${n} out`).add(Date.now(),r.statistics.acquired??0));let l=r.type==="lvq",a=Object.keys(Ja).filter(p=>l||p!=="values"),c=t.get("tab"),f=c!==null&&a.includes(c)?c:a[0];return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:n}),s(Jr,{queue:r}),l&&s(Ei,{queue:n}),s(Ra,{queue:r,refresh:o.refresh,onDeleted:()=>i.value=!0})]}),s(i6,{queue:r}),s("nav",{class:"tabs","aria-label":"Parts of the queue",children:a.map(p=>s("a",{href:x1(["queues",n],{tab:p}),"aria-current":p===f?"page":void 0,children:Ja[p]},p))}),s(s6,{tab:f,polled:o,queue:r})]})}function s6({tab:e,polled:t,queue:n}){switch(e){case"values":return s(Ba,{name:n.name,queue:t.data,mostFollowed:o6});case"messages":return s(Aa,{queue:n});case"options":return s(Oa,{queue:n,refresh:t.refresh});case"readers":return s(Na,{queue:n.name});case"removed":return s(I,{children:[s(l6,{queue:n}),s(a6,{queue:n})]})}}function i6({queue:e}){let t=e.statistics.last_in_ms??0,n=[["Messages",V(e.depth)],...e.type==="lvq"?[["Keys",V(e.statistics.keys)]]:[],["In",ue(yo.of(`${e.name} in`).rate())],["To consumers",ue(yo.of(`${e.name} out`).rate())],...e.type==="lvq"?[["Conflated",`${(100*ho(e)).toFixed(1)} %`]]:[],["Readers",V(e.subscriptions)],["Newest",t?H1(Date.now()-t):"–"]];return s("dl",{class:"figures",children:n.map(([o,r])=>s("div",{class:"figure",children:[s("dt",{children:o}),s("dd",{children:r})]},o))})}function l6({queue:e}){let t=Object.entries(e.removed).sort((n,o)=>o[1]-n[1]);return s("div",{class:"card",children:[s("p",{children:["Of ",V(e.published)," messages that came, ",V(e.depth)," are here. The others left for these reasons:"]}),s("dl",{class:"facts",children:t.map(([n,o])=>s(I,{children:[s("dt",{children:n}),s("dd",{children:V(o)})]}))}),t.length===0&&s("p",{class:"muted",children:"None has left."})]})}function a6({queue:e}){let t=$(null),n=e.type==="lvq"?["key","key that is a number","sequence","message id"]:["sequence","message id"];return s("section",{class:"card","aria-labelledby":"became-heading",children:[s("h2",{id:"became-heading",children:"What became of a message?"}),s(ot,{action:"Ask",fields:[{name:"kind",label:"By its",kind:"choice",choices:n,value:n[0]??""},{name:"value",label:"Which",isRequired:!0}],onSubmit:async({kind:o,value:r})=>{let i=String(r);o==="key that is a number"?t.value={key:i,type:"integer"}:t.value={[String(o).replace(" ","_")]:i}}}),t.value&&s(mo,{queue:e.name,asked:t.value},JSON.stringify(t.value))]})}var Xa={path:"queues/:queue",title:"Queue",inNavigation:!1,view:r6};var u6=120;function c6(){let{data:e,problem:t,refresh:n}=a1("/store"),o=y1(()=>new Et,[]),r=y1(()=>({ms:[],took:[]}),[]),i=$(!1),l=e.value;if(y1(()=>{l&&(o.add(Date.now(),l.statistics.store_syncs??0),r.ms.push(Date.now()),r.took.push(l.statistics.store_last_sync_ms??0),r.ms.length>u6&&(r.ms.shift(),r.took.shift()))},[l]),!l)return t.value?s(o1,{problem:t.value}):s(T1,{});let{statistics:a,segments:c,snapshot:f}=l,p=g=>a[`store_${g}`]??0,h=p("syncs")?p("sync_ms")/p("syncs"):0,b=[["Size",ve(p("bytes"))],["Segments",V(p("segments"))],["Free on the disk",ve(p("free_bytes"))],["Waits to be written",ve(p("waiting_bytes"))],["Syncs",ue(o.rate())],["A sync takes",`${h.toFixed(2)} ms`]];return s(I,{children:[s("div",{class:"page-head",children:[s("h1",{children:"Store"}),s("div",{class:"actions",children:s("button",{type:"button",onClick:()=>i.value=!0,children:"Write a snapshot"})})]}),t.value&&s(o1,{problem:t.value}),s("dl",{class:"figures",children:b.map(([g,w])=>s("div",{class:"figure",children:[s("dt",{children:g}),s("dd",{children:w})]},g))}),s("section",{class:"card",children:s(it,{label:"Time of the last sync",timesMs:r.ms,lines:[{title:"last sync",colour:1,values:r.took}],written:g=>`${g.toFixed(1)} ms`})}),s(f6,{snapshot:f}),s(_1,{caption:"Segments, the newest first",columns:[{name:"number",title:"Segment",cell:g=>g.number},{name:"bytes",title:"Size",isNumeric:!0,cell:g=>ve(g.bytes)}],rows:c.slice(-200).reverse(),rowKey:g=>String(g.number),empty:"Nothing was written yet."}),i.value&&s(M1,{title:"Write a snapshot",text:"A copy of the store as of one moment, from which `lastvalue serve --restore` starts.",action:"Begin",fields:[{name:"directory",label:"Directory on the broker's machine",isRequired:!0,help:"New or empty, below the directory that `serve --snapshots` names."}],onClose:()=>i.value=!1,onSubmit:async g=>{await n1("/store/snapshots",{method:"POST",body:g}),P1("the snapshot has begun"),n()}})]})}function f6({snapshot:e}){if(e.state==="none")return null;let t=e.bytes?(e.written??0)/e.bytes:0;return s("section",{class:"card","aria-label":"The last snapshot",children:["Snapshot in ",s("code",{children:e.directory}),": ",s("span",{class:e.state==="failed"?"tag bad":"tag on",children:e.state})," ",e.state==="running"&&s("progress",{value:t,"aria-label":"Written"})," ",ve(e.bytes)," ",e.reason]})}var e3={path:"store",title:"Store",inNavigation:!0,view:c6};function d6({query:e}){let t={user:e.get("user")??"",name:e.get("name")??"",destination:e.get("destination")??""},n=a1("/users",1e4),o=a1(Y(["rights"],t),1e4),r=[{name:"user",label:"May user",help:"you, if it is empty"},{name:"name",label:"with",help:"a queue, an exchange or an address"},{name:"destination",label:"and",help:"where to, of what is moved, copied or bound"}];return s(I,{children:[s("div",{class:"page-head",children:s("h1",{children:"Users"})}),n.problem.value?s(o1,{problem:n.problem.value}):s(_1,{caption:"Users",columns:[{name:"user",title:"User",cell:i=>i.user},{name:"rules",title:"Rules",cell:i=>i.rules.map(l=>s("code",{class:"rule",children:l},l))}],rows:n.data.value?.users??[],rowKey:i=>i.user,rowLink:i=>x1(["users"],{...t,user:i.user}),empty:"The broker has no users file: whoever connects may do everything."}),s("section",{class:"card","aria-labelledby":"rights-heading",children:[s("h2",{id:"rights-heading",children:"May X do Y?"}),s("div",{class:"question",children:r.map(({name:i,label:l,help:a})=>s("label",{class:"field",children:[s("span",{children:l}),s("input",{type:"text",defaultValue:t[i],autocomplete:"off",onChange:c=>be(["users"],{...t,[i]:c.currentTarget.value})},t[i]),s("small",{class:"help",children:a})]},i))}),o.problem.value?s(o1,{problem:o.problem.value}):s(_1,{caption:`What ${o.data.value?.user??"the user"} may do`,columns:[{name:"allowed",title:"Allowed",cell:({allowed:i})=>s("span",{class:i?"tag on":"tag bad",children:i?"yes":"no"})},{name:"meaning",title:`May ${o.data.value?.user??""}`,cell:i=>`${i.meaning}?`},{name:"lacks",title:"Right that is missing",cell:({lacks:i})=>s("code",{children:i})}],rows:o.data.value?.verbs??[],rowKey:i=>i.verb})]})]})}var t3={path:"users",title:"Users",inNavigation:!0,view:d6};var Hn=[va,Ya,Xa,Wi,Ma,Si,Pi,xi,ka,e3,gi,t3,vi,Mi];var p6=2e3;function n3(){return Pn.value?s(pi,{}):s("div",{class:"frame",children:[s("a",{class:"skip",href:"#main",onClick:e=>(e.preventDefault(),document.getElementById("main")?.focus()),children:"Skip to the content"}),s(h6,{}),s("main",{id:"main",tabIndex:-1,children:[!i2.value&&s("p",{class:"banner",role:"alert",children:"The broker does not answer. The console goes on when it does."}),Tn.value===void 0?s(m6,{}):s(g6,{})]}),s(li,{})]})}function m6(){return l1(()=>{let e=0,t=()=>{ci().catch(()=>e=window.setTimeout(t,p6))};return t(),()=>clearTimeout(e)},[]),s(T1,{})}function h6(){let e=$(!1),{segments:t}=a2.value,n=t[0]??Hn[0]?.path,o=rt.value==="dark"?"light":"dark";return s("header",{class:e.value?"sidebar open":"sidebar",children:[s("div",{class:"brand",children:[s("span",{children:"lastvalue"}),s("button",{type:"button",class:"plain menu","aria-label":"Menu","aria-expanded":e.value,onClick:()=>e.value=!e.value,children:s(dt,{name:"menu"})})]}),s("nav",{"aria-label":"Pages of the console",onClick:()=>e.value=!1,children:Hn.filter(r=>r.inNavigation).map(r=>s("a",{href:x1([r.path]),"aria-current":r.path===n?"page":void 0,children:r.title},r.path))}),s("div",{class:"foot",children:[Tn.value&&s("button",{type:"button",class:"plain",title:"Log out",onClick:()=>fi().catch(Bt),children:[s(dt,{name:"leave"}),s("span",{children:["Log out ",Tn.value]})]}),s("button",{type:"button",class:"plain",onClick:Ii,children:[s(dt,{name:o==="light"?"sun":"moon"}),s("span",{children:o==="dark"?"Dark":"Light"})]})]})]})}function g6(){let{segments:e,query:t}=a2.value,n=e.length?e:[Hn[0]?.path??""],[o,r]=v6(n);if(l1(()=>{document.title=o?`${n.length>1?n[1]:o.title} · lastvalue`:"lastvalue"}),!o)return s("div",{class:"notice",role:"alert",children:[s("strong",{children:"There is no such page"}),s("p",{children:s("a",{href:x1([]),children:Hn[0]?.title})})]});let i=o.view;return s(i,{parameters:r,query:t},n.join("/"))}function v6(e){for(let t of Hn){let n=_i(t.path,e);if(n)return[t,n]}return[null,{}]}Is(s(n3,{}),document.body);
